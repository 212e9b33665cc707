//! Results go to files that are whole or not there: written beside their place, then renamed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Whether a path means standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses two results in one place.
pub fn check_places(json: Option<&PathBuf>, csv: Option<&PathBuf>) -> Result<()> {
    match (json, csv) {
        (Some(json), Some(csv)) if json == csv => {
            bail!("--json and --csv both write to {}; give them different places", json.display())
        }
        _ => Ok(()),
    }
}

/// Refuses a result that would replace another one or what is read. Each place is given by its option, or by what it is.
pub fn check_distinct(outputs: &[(&str, Option<&Path>)], inputs: &[(&str, Option<&Path>)]) -> Result<()> {
    let file_of = |path: &Path| -> Option<PathBuf> {
        // Devices and pipes hold nothing that could be lost.
        if is_standard(path) || fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return None;
        }
        let there = fs::canonicalize(path);
        there
            .or_else(|_| {
                Ok::<_, io::Error>(fs::canonicalize(folder_of(path))?.join(path.file_name().unwrap_or_default()))
            })
            .ok()
    };
    let places = |list: &[(&str, Option<&Path>)]| -> Vec<(String, PathBuf)> {
        list.iter().filter_map(|&(what, path)| Some((what.to_owned(), file_of(path?)?))).collect()
    };
    let (outputs, inputs) = (places(outputs), places(inputs));
    for (k, (option, place)) in outputs.iter().enumerate() {
        if let Some((what, _)) = inputs.iter().find(|(_, input)| input == place) {
            bail!("{option} would replace {what} {}; give it another place", place.display());
        }
        if let Some((other, _)) = outputs[..k].iter().find(|(_, known)| known == place) {
            bail!("{other} and {option} both write to {}; give them different places", place.display());
        }
    }
    Ok(())
}

/// Refuses a file whose folder is not there or takes no files.
pub fn check_folder(path: &Path) -> Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Ok(());
    }
    let folder = folder_of(path);
    if !folder.exists() {
        bail!("{} cannot be written: there is no folder {}; make it first", path.display(), folder.display());
    }
    let probe = tempfile::Builder::new().tempfile_in(folder);
    probe.map(|_| ()).with_context(|| format!("{} cannot be written", path.display()))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes to standard output for "-", into a device or pipe that is there, else to a file by way of a temporary one.
pub fn write_to(path: &Path, content: &[u8]) -> Result<()> {
    if is_standard(path) {
        let mut out = io::stdout().lock();
        out.write_all(content)?;
        return Ok(out.flush()?);
    }
    let place = || format!("{} cannot be written", path.display());
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            let mut file = OpenOptions::new().write(true).open(path).with_context(place)?;
            file.write_all(content).with_context(place)
        }
        // Through links to the file that they mean, which keeps its permissions.
        Ok(there) => {
            let file = fs::canonicalize(path).with_context(place)?;
            replace(&file, content, Some(there.permissions())).with_context(place)
        }
        Err(_) => replace(path, content, None).with_context(place),
    }
}

fn replace(path: &Path, content: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the user's mask leaves of it, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(content)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}

/// Writes a line to standard error. Nobody may be listening there, which is no reason to stop.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
