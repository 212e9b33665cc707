//! Drystone: rigid-body physics whose speciality is the quality of its contact points.
//!
//! This crate is a façade: every library of the project is a module of it, and a crate of its own for those who need only that.
//!
//! | module | crate | what is in it |
//! |---|---|---|
//! | [`contact`] | `drystone-contact` | where two shapes touch, and when they will: shapes, contact generators, continuous collision detection |
//! | [`engine`] | `drystone-engine` | bodies that move: worlds, materials, solvers, recordings |
//! | [`scenes`] | `drystone-scenes` | scenes with known contacts, by name or from files; measures and studies of contact methods |
//! | [`report`] | `drystone-report` | what came out: HTML reports, runs as pages, moments of a run to look into |
//! | [`glam`] | `glam` | the vectors and rotations that all of them speak |
//!
//! # To embed the engine
//! ```
//! use drystone::engine::{Friction, Interaction, Pose, Solid, World};
//! use drystone::glam::DVec3;
//!
//! // A cube falls on the ground.
//! let mut world = World::default();
//! let stone = world.materials_mut().add("stone")?;
//! world.materials_mut().set(stone, stone, Interaction { friction: Friction::sliding(0.6), restitution: 0.0 })?;
//! let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//! world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
//! let cube = world.add(Solid::cuboid(DVec3::ONE, 2000.0)?.dynamic(stone, Pose::from_translation(DVec3::Y * 0.6))?)?;
//! for _ in 0..50 {
//!     world.step()?;
//! }
//! assert!((world.body(cube)?.position.y - 0.5).abs() < 1e-2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! Contacts alone, without scenes or bodies: see [`contact::generator::Generator`].
//!
//! # To evaluate contact methods
//! ```
//! use drystone::contact::generator::methods;
//! use drystone::scenes::detection::{Moment, detect};
//! use drystone::scenes::measure::{Matching, score};
//! use drystone::scenes::opening::{SceneOptions, open};
//!
//! // A cube rests on a frustum. Which contacts does a method find, and how many of them have a right normal?
//! let scene = open(&"cliff-edges".parse()?, &SceneOptions::default())?.scene;
//! let found = detect(&scene, &methods::most_opposing(), Moment::Start)?;
//! let score = score(&found.contacts, &scene.truth, &Matching::default());
//! assert_eq!((score.coverage, score.quality), (1.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`scenes::assessment`] scores with everything around it, as `drystone assess` does; [`report::Report`] makes a page of it.
//!
//! Units are SI, y is up, normals point from A to B, gaps are positive apart.

pub use drystone_contact as contact;
pub use drystone_engine as engine;
pub use drystone_replica as replica;
pub use drystone_report as report;
pub use drystone_scenes as scenes;
pub use glam;
