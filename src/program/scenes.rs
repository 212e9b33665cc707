//! `drystone scenes`: what scenes there are, and a scene as a file.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::options::SceneOptions;
use super::output::write_to;
use super::simulate::surfaces;
use crate::engine::solver::ContactSolver;
use crate::scenes::asynchronous::{self, OpenedSurfaces};
use crate::scenes::builtin::BuiltIn;
use crate::scenes::cases::Model;
use crate::scenes::opening::open_surfaces;
use crate::scenes::scene_file;

/// What `drystone scenes` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Write a scene as a scene file; "-" is standard output.
    #[arg(long, value_name = "FILE", requires = "scene")]
    write: Option<PathBuf>,

    /// The scene to write.
    #[arg(long, value_name = "NAME|FILE", requires = "write")]
    scene: Option<String>,

    #[command(flatten)]
    options: SceneOptions,
}

/// Lists all built-in scenes, or writes one scene.
pub fn run(arguments: &Arguments) -> Result<()> {
    match (&arguments.write, &arguments.scene) {
        (Some(file), Some(name)) => {
            let text = match open_surfaces(&name.parse()?)? {
                Some(surfaces) => of_surfaces(surfaces, arguments)?,
                None => scene_file::encode(&arguments.options.scene(name, ContactSolver::default())?)?,
            };
            write_to(file, text.as_bytes())
        }
        _ => list(),
    }
}

/// The scene file of a scene of deformable surfaces.
fn of_surfaces(mut scene: OpenedSurfaces, arguments: &Arguments) -> Result<String> {
    surfaces::refuse_options(&arguments.options, &[], &scene.name)?;
    scene.time_step = arguments.options.dt.unwrap_or(scene.time_step);
    Ok(scene_file::encode_surfaces(&scene)?)
}

/// One line a scene: name, bodies, expected normals, minimal number of contacts, what happens and what its size means.
fn list() -> Result<()> {
    let mut out = std::io::stdout().lock();
    let is_extended = |scene: &BuiltIn| matches!(scene, BuiltIn::Extended(_));
    let (extended, others): (Vec<BuiltIn>, Vec<BuiltIn>) = BuiltIn::all().into_iter().partition(is_extended);
    writeln!(out, "scene              bodies  normals  minimum  what happens (default size)")?;
    others.into_iter().try_for_each(|scene| line(&mut out, scene))?;
    writeln!(out, "\nBeyond the suite of the paper, each in one size:")?;
    extended.into_iter().try_for_each(|scene| line(&mut out, scene))?;
    writeln!(out, "\nDeformable surfaces, for the simulator asynchronous:")?;
    for scene in &asynchronous::SCENES {
        writeln!(out, "{:<18} {}", scene.name, scene.title)?;
    }
    writeln!(
        out,
        "\nMore about each: docs/scenes.md. Scenes without a minimum cannot be scored: nothing is known of the"
    )?;
    writeln!(out, "contacts that they should have.")?;
    writeln!(out, "\nA scene of your own: give the path of a scene file in place of a name; see docs/scene-files.md,")?;
    writeln!(out, "and `drystone scenes --write FILE --scene NAME` for an example of each.")?;
    Ok(())
}

fn line(out: &mut impl Write, built_in: BuiltIn) -> Result<()> {
    let scene = built_in.scene(Model::Procedural, None)?;
    let known = |n: usize| if built_in.has_truth() { n.to_string() } else { "–".into() };
    let (normals, minimum) = (known(scene.truth.normals()), known(scene.truth.minimum()));
    let size = built_in.size().map(|size| format!(" ({}: {})", size.of, size.default)).unwrap_or_default();
    let bodies = scene.bodies.len();
    writeln!(out, "{built_in:<18} {bodies:>6}  {normals:>7}  {minimum:>7}  {}{size}", scene.title)?;
    Ok(())
}
