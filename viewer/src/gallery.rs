//! The pictures of the documentation, made by one command.

use std::path::Path;

use anyhow::{Context, Result};
use clap::Parser;
use drystone::contact::generator::methods;

use crate::arguments::Arguments;
use crate::film::{Progress, write};
use crate::headless::Headless;
use crate::remembered::Remembered;

/// A picture of the gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its file, without the ending.
    pub name: String,
    /// The arguments that make it.
    pub arguments: String,
}

/// Scenes with general solids, the step that is shown, and from where.
const GENERAL: [(&str, u32, &str); 6] = [
    ("ball-on-ball", 90, "30,20"),
    ("torus-on-peg", 60, "30,30"),
    ("cup-and-star", 70, "30,50,0.35"),
    ("polygon-soup", 60, "30,30,0.5"),
    ("wheel-train", 60, "30,30"),
    ("bezier-slide", 60, "-60,40,0.12"),
];

/// The pictures, in the order of the page that shows them.
pub fn pieces() -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut add = |name: String, arguments: String| pieces.push(Piece { name, arguments });
    for method in methods::all() {
        let pillar = format!("pillar --method {method} --step 3 --explode 0.6 --along y");
        add(format!("pillar-{method}-paper"), format!("{pillar} --camera 25,22,2.3 --preset paper --size 480x560"));
        add(format!("pillar-{method}"), format!("{pillar} --camera 25,22 --bodies wireframe --size 400x640"));
    }
    for method in ["closest-points", "volume-sat", "growth-distance", "semi-local"] {
        add(
            format!("wall-{method}"),
            format!("wall --method {method} --step 3 --explode 0.6 --camera 30,20 --size 440x320"),
        );
        add(
            format!("arch-{method}"),
            format!("arch --method {method} --step 3 --explode 0.5 --camera 20,10 --size 600x420"),
        );
    }
    for case in ["cliff-edges", "internal-edges", "spike-in-hole"] {
        for method in ["most-opposing", "semi-local"] {
            add(
                format!("{case}-{method}"),
                format!("{case} --method {method} --step 3 --explode 0.6 --along y --bodies wireframe --size 600x400"),
            );
        }
    }
    for (scene, step, camera) in GENERAL {
        let arguments =
            format!("{scene} --method time-of-contact --step {step} --colour plain --camera={camera} --size 440x320");
        add(scene.into(), arguments);
    }
    let other = [
        (
            "comparison",
            "pillar --method surface-sat --compare semi-local --step 3 --explode 0.6 --along y --bodies wireframe --size 720x640",
        ),
        (
            "picked-contact",
            "cliff-edges --method vertex-only --step 3 --explode 0.6 --along y --select 0 --size 600x460",
        ),
        (
            "ghosts",
            "arch --method semi-local --step 3 --ghost 0 --ghost 1 --ghost 2 --ghost 3 --camera 20,10 --size 600x420",
        ),
        ("areas", "wall --method semi-local --step 3 --explode 0.6 --colour plain --camera 20,35,2.5 --size 440x320"),
        (
            "forces",
            "pillar --method semi-local --step 10 --explode 0.6 --along y --colour force --bodies wireframe --size 480x640",
        ),
        (
            "verdicts",
            "pillar --method growth-distance --step 3 --explode 0.6 --along y --colour verdict --bodies wireframe --camera 35,20,2.3 --size 640x560",
        ),
        (
            "panel",
            "pillar --method growth-distance --step 3 --explode 0.6 --along y --panel --select 350 --size 1100x700",
        ),
    ];
    other.into_iter().for_each(|(name, arguments)| add(name.into(), arguments.into()));
    pieces
}

/// Makes the pictures into a folder. Those that are there are kept unless they are to be made `again`.
///
/// # Errors
/// A picture cannot be made or written.
pub fn make(folder: &Path, again: bool) -> Result<()> {
    let pieces = pieces();
    let progress = Progress::new(pieces.len());
    for piece in &pieces {
        let path = folder.join(&piece.name).with_extension("png");
        if again || !path.exists() {
            let made = one(piece).with_context(|| piece.name.clone())?;
            write(&made, &path)?;
        }
        progress.advance();
    }
    progress.finish();
    Ok(())
}

fn one(piece: &Piece) -> Result<image::RgbImage> {
    let words = std::iter::once("drystone-viewer").chain(piece.arguments.split_whitespace());
    let arguments = Arguments::try_parse_from(words)?;
    let state = arguments.state(&Remembered::default())?;
    let mut headless = Headless::new(state, arguments.picture_settings())?;
    Ok(headless.picture()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_can_be_asked_for_and_has_its_own_name() {
        let pieces = pieces();
        for (k, piece) in pieces.iter().enumerate() {
            let words = std::iter::once("drystone-viewer").chain(piece.arguments.split_whitespace());
            assert!(Arguments::try_parse_from(words).is_ok(), "{}", piece.arguments);
            assert!(pieces[..k].iter().all(|other| other.name != piece.name), "{}", piece.name);
        }
    }
}
