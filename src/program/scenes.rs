//! `drystone scenes`: what scenes there are, a scene as a file, and scenes as data for other programs.

mod export;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::method_name::MethodName;
use super::options::SceneOptions;
use super::output::write_to;
use super::simulate::surfaces;
use crate::contact::generator::Registry;
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
    #[arg(long, value_name = "FILE", requires = "scene", conflicts_with = "export")]
    write: Option<PathBuf>,

    /// Write scenes as data for other programs, each into a new folder DIR/SCENE: surfaces as OBJ, and scene.json with bodies,
    /// tetrahedra, convex pieces, where bodies are at the start, in the first step and in the scored one, and the contacts that
    /// are expected there (docs/scenes.md).
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,

    /// The scene to write or export. With --export it may be repeated; without it all scenes are exported that have a truth.
    #[arg(long, value_name = "NAME|FILE")]
    scene: Vec<String>,

    /// With --export, the step in place of the scored one, from 1.
    #[arg(long, value_name = "N", requires = "export", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    step: Option<u32>,

    /// With --export, the method that makes the steps before; the first step asks none.
    #[arg(long, value_name = "NAME", default_value = "semi-local", requires = "export")]
    method: MethodName,

    #[command(flatten)]
    options: SceneOptions,
}

/// Lists all built-in scenes, writes one, or exports some. `false`: some could not be exported.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    if let Some(folder) = &arguments.export {
        return export::run(arguments, folder, registry);
    }
    match (&arguments.write, &arguments.scene[..]) {
        (Some(file), [name]) => {
            let text = match open_surfaces(&name.parse()?)? {
                Some(surfaces) => of_surfaces(surfaces, arguments)?,
                None => scene_file::encode(&arguments.options.scene(name, ContactSolver::default())?)?,
            };
            write_to(file, text.as_bytes())?;
        }
        (Some(_), names) => bail!("--write writes one scene, and {} are named", names.len()),
        (None, []) => list()?,
        (None, names) => bail!("--scene {} is to be written or exported: add --write FILE or --export DIR", names[0]),
    }
    Ok(true)
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
    let is_extended = |scene: &BuiltIn| matches!(scene, BuiltIn::Extended(_) | BuiltIn::Further(_));
    let (extended, others): (Vec<BuiltIn>, Vec<BuiltIn>) = BuiltIn::all().into_iter().partition(is_extended);
    writeln!(out, "scene                     bodies  normals  minimum  what happens (default size)")?;
    others.into_iter().try_for_each(|scene| line(&mut out, scene))?;
    writeln!(out, "\nBeyond the suite of the paper, each in one size:")?;
    extended.into_iter().try_for_each(|scene| line(&mut out, scene))?;
    writeln!(out, "\nDeformable surfaces, for the simulator asynchronous:")?;
    for scene in &asynchronous::SCENES {
        writeln!(out, "{:<25} {}", scene.name, scene.title)?;
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
    writeln!(out, "{built_in:<25} {bodies:>6}  {normals:>7}  {minimum:>7}  {}{size}", scene.title)?;
    Ok(())
}
