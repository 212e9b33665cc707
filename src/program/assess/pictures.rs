//! Pictures of the report that the viewer draws, where it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::program::output::{note, write_to};
use crate::program::progress::Progress;
use crate::program::report::file_name;
use crate::report::Rendered;
use crate::scenes::assessment::{Assessed, Row};
use crate::scenes::scene::Scene;

/// The scenes that are drawn.
const SCENES: [&str; 3] = ["pillar", "wall", "arch"];
/// Width and height, pixels.
const SIZE: [u32; 2] = [960, 720];
/// How far bodies are moved apart.
const EXPLODE: &str = "0.5";
/// The first bytes of a PNG file.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The viewer's program.
pub struct Viewer(PathBuf);

impl Viewer {
    /// Looks beside this program, then on the path; says so if there is none.
    pub fn find() -> Option<Self> {
        let name = format!("drystone-viewer{}", std::env::consts::EXE_SUFFIX);
        let own = std::env::current_exe().ok();
        let beside = own.as_deref().and_then(Path::parent).map(Path::to_owned);
        let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
        let folders = beside.into_iter().chain(on_path.into_iter().flatten());
        let found = folders.map(|folder| folder.join(&name)).find(|program| program.is_file());
        if found.is_none() {
            note(
                "drystone: the report gets no pictures of the viewer: the program drystone-viewer is neither beside this one \
                 nor on the PATH. To install it: cargo install --path viewer; or to build it: cargo build --release -p drystone-viewer",
            );
        }
        found.map(Self)
    }

    /// Draws every method in pillar, wall and arch into the folder of the report. What cannot be drawn is left out with a
    /// note.
    pub fn pictures(&self, scenes: &[Scene], assessed: &[Assessed], folder: &Path) -> Result<Vec<Rendered>> {
        // A scene of that name from a file is another one than the viewer's.
        let is_drawn =
            |name: &str| SCENES.contains(&name) && scenes.iter().any(|s| s.name == name && s.is_as_published);
        let rows: Vec<&Row> = assessed.iter().map(|of| &of.row).filter(|row| is_drawn(&row.scene)).collect();
        if rows.is_empty() {
            note("The viewer draws pillar, wall and arch; none of them was assessed.");
            return Ok(Vec::new());
        }
        std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        note("The pictures of the viewer:");
        let progress = Progress::new(rows.len());
        let mut pictures = Vec::new();
        for row in rows {
            match self.picture(row) {
                Ok(png) => {
                    let file = format!("viewer-{}-{}.png", file_name(&row.scene), row.method);
                    write_to(&folder.join(&file), &png)?;
                    let (scene, method) = (row.scene.clone(), row.method.clone());
                    pictures.push(Rendered { scene, method, step: row.step, file, size: SIZE });
                }
                Err(error) => note(&format!("drystone: no picture of {} in {}: {error:#}", row.method, row.scene)),
            }
            progress.advance(&format!("{} {}", row.scene, row.method));
        }
        progress.finish();
        Ok(pictures)
    }

    /// A picture as PNG.
    fn picture(&self, row: &Row) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().context("there is no place for it")?;
        let place = folder.path().join("picture.png");
        let [width, height] = SIZE;
        let mut command = Command::new(&self.0);
        command.arg("--picture").arg(&place).args(["--scene", &row.scene, "--method", &row.method]);
        if let Some(variant) = &row.variant {
            command.args(["--variant", variant]);
        }
        command.args(["--step", &row.step.to_string(), "--explode", EXPLODE, "--size", &format!("{width}x{height}")]);
        let output =
            command.stdin(Stdio::null()).output().with_context(|| format!("{} does not run", self.0.display()))?;
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            let last = messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
            bail!("{} ended with {}: {last}", self.0.display(), output.status);
        }
        let png = std::fs::read(&place).with_context(|| format!("{} wrote no picture", self.0.display()))?;
        if !png.starts_with(SIGNATURE) {
            bail!("what {} wrote is no PNG", self.0.display());
        }
        Ok(png)
    }
}
