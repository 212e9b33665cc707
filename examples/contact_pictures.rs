//! Pictures of the contacts that the semi-local generator finds: of the ten cases, of Pillar, Wall and Arch and of the scenes
//! beyond the suite, each in the step in which it is scored.
//!
//! ```text
//! cargo run --release --example contact_pictures -- docs/pictures/semi-local
//! ```

use std::error::Error;
use std::path::PathBuf;

use drystone::contact::generator::methods;
use drystone::report::Picture;
use drystone::scenes::builtin::BuiltIn;
use drystone::scenes::cases::Model;
use drystone::scenes::detection::{Moment, detect};
use drystone::scenes::measure::{Matching, score};

/// The width of the main panel, pixels: of two bodies, and of structures.
const WIDTH: [f64; 2] = [380.0, 280.0];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say into which folder")?);
    std::fs::create_dir_all(&folder)?;
    let has_picture = |scene: &BuiltIn| BuiltIn::assessed().contains(scene) || matches!(scene, BuiltIn::Extended(_));
    for built_in in BuiltIn::all().into_iter().filter(has_picture) {
        let scene = built_in.scene(Model::Procedural, None)?;
        let (method, moment) = (methods::semi_local(), Moment::Step(scene.scored_step));
        let found = detect(&scene, &method, moment)?;
        let (contacts, poses) = (&found.contacts[..], &found.poses[..]);
        let picture = Picture { scene: &scene, method: method.name(), contacts, poses, study: None, parameter: 0.0 };
        let is_structure = matches!(built_in, BuiltIn::Pillar | BuiltIn::Wall | BuiltIn::Arch);
        let file = folder.join(format!("{built_in}.svg"));
        std::fs::write(&file, picture.in_place(WIDTH[usize::from(is_structure)]))?;
        let score = score(contacts, &scene.truth, &Matching::default());
        let (coverage, quality) = (100.0 * score.coverage, 100.0 * score.quality);
        println!("{built_in}: {} contacts, coverage {coverage:.1} %, quality {quality:.1} %", score.contacts);
    }
    Ok(())
}
