//! Pictures in files: one, or one for each of several steps.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use image::RgbImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arguments::Steps;
use crate::headless::Headless;
use crate::model::Command;

/// Writes a picture as PNG, whole or not at all; the folder is made if it is missing.
///
/// # Errors
/// The folder cannot be made or the file cannot be written.
pub fn write(picture: &RgbImage, path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let cannot = || format!("{} cannot be written", path.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(encoder).with_context(cannot)?;
    file.persist(path).with_context(cannot)?;
    Ok(())
}

/// The name of the picture of a step.
pub fn frame_name(step: u64) -> String {
    format!("step-{step:06}.png")
}

/// Writes a picture for every `every`-th of the steps. Pictures that are there are kept unless they are to be made `again`, so
/// that a film that was broken off goes on where it stopped. Ends early, with a note, where a run ends.
///
/// # Errors
/// A step cannot be drawn or written.
pub fn film(headless: &mut Headless, folder: &Path, steps: &Steps, every: u64, again: bool) -> Result<Vec<PathBuf>> {
    let wanted = steps.0.clone().step_by(every.max(1) as usize);
    let progress = Progress::new(wanted.size_hint().0);
    let mut written = Vec::new();
    for step in wanted {
        let path = folder.join(frame_name(step));
        if again || !path.exists() {
            headless.state().apply(Command::GoTo(step));
            let picture = headless.picture().with_context(|| format!("step {step}"))?;
            if headless.state().last_step().is_some_and(|last| last < step) {
                progress.note(&format!("the run ends before step {step}"));
                break;
            }
            if headless.state().playback.step != step {
                // A recording may begin later.
                continue;
            }
            write(&picture, &path)?;
            written.push(path);
        }
        progress.advance();
    }
    progress.finish();
    Ok(written)
}

/// A bar on a terminal, a line for every tenth part otherwise; on standard error.
pub struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
}

impl Progress {
    /// Nothing is done yet.
    pub fn new(jobs: usize) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(jobs as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} pictures, {eta} left")
        {
            bar.set_style(style);
        }
        Self { bar, is_terminal }
    }

    /// One more is done.
    pub fn advance(&self) {
        let (before, jobs) = (self.bar.position(), self.bar.length().unwrap_or(1).max(1));
        self.bar.inc(1);
        if !self.is_terminal && (before + 1) * 10 / jobs != before * 10 / jobs {
            eprintln!("{} of {jobs} pictures", before + 1);
        }
    }

    /// Says something without disturbing the bar.
    pub fn note(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_read_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("a.png");
        let picture = RgbImage::from_fn(7, 5, |x, y| image::Rgb([x as u8 * 30, y as u8 * 40, 9]));
        write(&picture, &path).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgb8(), picture);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
        assert!(write(&picture, &path.join("below.png")).is_err());
    }
}
