//! Digests of contacts and of runs, to see whether a change keeps every bit:
//!
//! ```console
//! $ cargo run --release -p drystone-scenes --example digests > before.txt
//! $ # change something
//! $ cargo run --release -p drystone-scenes --example digests | diff before.txt -
//! ```
//!
//! The first lines are of the contacts of every built-in scene by every method, in its scored step and in its start
//! pose: scene, method, variant, moment, number of contacts, digest of the list as `drystone contacts` writes it. The
//! lines after them are of 200 steps of Pillar, Wall, Arch, card house and pile: scene, method, preset, number of
//! contacts in all steps, digest of all states and contacts; some with continuous collision detection. With `--steps
//! N` runs have N steps, with `--runs` they are all there is, with `--scene NAME`, which may be repeated, other scenes are left out.

use drystone_contact::generator::Method;
use drystone_contact::generator::methods;
use drystone_engine::{Body, CcdSettings, ContactBetween};
use drystone_replica::Variant;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::contact_list;
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::simulation::{WorldPreset, world};
use rayon::prelude::*;
use std::error::Error;

/// FNV-1a, 64 bits.
struct Digest(u64);

impl Digest {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    }

    fn add_contacts(&mut self, contacts: &[ContactBetween]) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut list = Vec::new();
        contact_list::write(contacts, &mut list)?;
        self.add(&list);
        Ok(())
    }

    fn add_state(&mut self, body: &Body) {
        for x in [body.position, body.velocity, body.angular_velocity].iter().flat_map(|v| v.to_array()) {
            self.add(&x.to_bits().to_le_bytes());
        }
        body.orientation.to_array().iter().for_each(|x| self.add(&x.to_bits().to_le_bytes()));
    }
}

fn contacts(
    scene: BuiltIn,
    method: &Method,
    variant: Variant,
    moment: &str,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    let scene = scene.scene(Model::of(variant), None)?;
    let at = if moment == "start" { Moment::Start } else { Moment::Step(scene.scored_step) };
    let found = detect(&scene, &variant.of(method), at)?;
    let mut digest = Digest::new();
    digest.add_contacts(&found.contacts)?;
    Ok(format!("{} {method} {variant} {moment} {} {:016x}", scene.name, found.contacts.len(), digest.0))
}

fn run(
    scene: BuiltIn,
    size: Option<f64>,
    method: &Method,
    (world_preset, ccd): (WorldPreset, bool),
    steps: u64,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    let scene = scene.scene(Model::Procedural, size)?;
    let mut world = world(&scene, method, world_preset)?;
    world.settings_mut().ccd = ccd.then(CcdSettings::default);
    let (mut digest, mut count) = (Digest::new(), 0);
    for _ in 0..steps {
        let report = world.step()?;
        count += report.contacts.len();
        digest.add_contacts(&report.contacts)?;
        world.bodies().iter().for_each(|body| digest.add_state(body));
    }
    let preset = match (world_preset, ccd) {
        (WorldPreset::Suite, _) => "suite",
        (_, true) => "ccd",
        (_, false) => "embedding",
    };
    Ok(format!("{} {method} {preset} {steps} steps {count} {:016x}", scene.name, digest.0))
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mut steps, mut contacts_too, mut only, mut rest) = (200, true, Vec::new(), arguments.iter());
    while let Some(option) = rest.next() {
        match (option.as_str(), rest.as_slice()) {
            ("--steps", [count, ..]) => {
                steps = count.parse()?;
                rest.next();
            }
            ("--scene", [name, ..]) => {
                only.push(name.parse::<BuiltIn>()?);
                rest.next();
            }
            ("--runs", _) => contacts_too = false,
            _ => return Err(format!("arguments {arguments:?}; known are --steps N, --runs and --scene NAME").into()),
        }
    }
    let is_asked = |scene: &BuiltIn| only.is_empty() || only.contains(scene);
    let line = |line: Result<String, Box<dyn Error + Send + Sync>>, what: String| match line {
        Ok(line) => line,
        Err(error) => format!("{what}: {error}"),
    };
    let mut asked = Vec::new();
    for scene in BuiltIn::all().into_iter().filter(|scene| contacts_too && is_asked(scene)) {
        for method in methods::all() {
            asked.push((scene, method, Variant::Corrected));
        }
        if BuiltIn::assessed().contains(&scene) || [BuiltIn::Pillar, BuiltIn::Wall, BuiltIn::Arch].contains(&scene) {
            for method in methods::local() {
                asked.extend([Variant::Published, Variant::Earlier].map(|variant| (scene, method.clone(), variant)));
            }
        }
    }
    let lists: Vec<String> = asked
        .par_iter()
        .flat_map_iter(|(scene, method, variant)| {
            ["step", "start"].map(|moment| {
                line(contacts(*scene, method, *variant, moment), format!("{scene} {method} {variant} {moment}"))
            })
        })
        .collect();
    lists.iter().for_each(|line| println!("{line}"));
    let scenes = [
        (BuiltIn::Pillar, None),
        (BuiltIn::Wall, None),
        (BuiltIn::Arch, None),
        (BuiltIn::CardHouse, None),
        (BuiltIn::Pile, Some(60.0)),
    ];
    let mut runs = Vec::new();
    for (scene, size) in scenes.into_iter().filter(|(scene, _)| is_asked(scene)) {
        for method in [methods::semi_local(), methods::vclip(), methods::volume_sat(), methods::closest_points()] {
            runs.push((scene, size, method, (WorldPreset::Embedding, false)));
        }
        runs.push((scene, size, methods::volume_sat(), (WorldPreset::Suite, false)));
        for method in [methods::semi_local(), methods::vclip()] {
            runs.push((scene, size, method, (WorldPreset::Embedding, true)));
        }
    }
    let runs: Vec<String> = runs
        .into_par_iter()
        .map(|(scene, size, method, preset)| {
            line(run(scene, size, &method, preset, steps), format!("{scene} {method}"))
        })
        .collect();
    runs.iter().for_each(|line| println!("{line}"));
    Ok(())
}
