//! `drystone scenes` and `drystone methods`: what there is.

use std::io::Write;

use anyhow::Result;
use drystone::contact::generator::Method;
use drystone::scenes::cases::{Case, Model};

/// One line a scene: name, least number of contacts, what happens.
pub fn scenes() -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<16} {:>8} {:>8}  what happens", "scene", "normals", "minimum")?;
    for case in Case::ALL {
        let scene = case.scene(Model::Procedural, None)?;
        let (normals, minimum) = (scene.truth.normals(), scene.truth.minimum());
        writeln!(out, "{case:<16} {normals:>8} {minimum:>8}  {}", case.title())?;
    }
    writeln!(out, "\nA scene of your own: give the path of a scene file (docs/scene-files.md) in place of a name.")?;
    Ok(())
}

/// One line a method: name and how it finds a normal.
pub fn methods() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for method in Method::ALL {
        writeln!(out, "{method:<18} {}", method.summary())?;
    }
    writeln!(
        out,
        "\nEach comes in two variants, corrected (the paper's text) and published (the behaviour behind its tables)."
    )?;
    Ok(())
}
