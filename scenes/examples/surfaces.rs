//! Runs a scene of deformable surfaces: what happened in each frame as CSV, and the surfaces as OBJ files.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example surfaces -- reef-knot [--until S] [--frames N] [--objs FOLDER]
//!     [--stiffness FACTOR] [--thickness FACTOR]
//! ```
//! The factors change the contact law of the scene. `scripts/intersections FOLDER` lets ipctk judge the frames.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use drystone_contact::shape::mesh_file::{self, MeshFile};
use drystone_scenes::asynchronous::named;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut scene = named(&arguments.next().ok_or("which scene?")?)?;
    let (mut frames, mut folder) = (27u32, None::<PathBuf>);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(format!("{option} needs a value"))?;
        match option.as_str() {
            "--until" => scene.duration = value.parse()?,
            "--frames" => frames = value.parse()?,
            "--objs" => folder = Some(value.into()),
            "--stiffness" => scene.law.stiffness *= value.parse::<f64>()?,
            "--thickness" => scene.law.thickness *= value.parse::<f64>()?,
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder)?;
    }
    let mut simulation = scene.simulation()?;
    let (momenta, started) = (simulation.momenta(), Instant::now());
    println!(
        "time s,events,events/s,wall s,pairs,active,deepest layer,closest/thickness,energy J,momentum off,intersection"
    );
    for frame in 0..=frames {
        let time = scene.duration * f64::from(frame) / f64::from(frames);
        let end = simulation.run_until(time);
        let (wall, events) = (started.elapsed().as_secs_f64(), simulation.events());
        let [pairs, active] = simulation.pairs();
        let (layer, closest) = simulation.contact_report().map_or((0, f64::INFINITY), |r| (r.deepest_layer, r.closest));
        let intersection = simulation.first_intersection();
        println!(
            "{:.4},{events},{:.2e},{wall:.1},{pairs},{active},{layer},{:.3},{:.6e},{:.1e},{intersection:?}",
            simulation.time(),
            events as f64 / wall,
            closest / scene.law.thickness,
            simulation.energies().total(),
            (simulation.momenta()[0] - momenta[0]).length(),
        );
        if let Some(folder) = &folder {
            let (vertices, triangles) = (simulation.positions(), simulation.surface().triangles().to_vec());
            let mesh = MeshFile { vertices, triangles, tetrahedra: Vec::new() };
            mesh_file::write(folder.join(format!("{frame:04}.obj")), &mesh)?;
        }
        end?;
    }
    println!("{:?}", simulation.contact_report());
    Ok(())
}
