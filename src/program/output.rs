//! Results go to files that are whole or not there: written beside their place, then renamed.

use std::fs::{self, File, OpenOptions, TryLockError};
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
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => return Ok(()),
        Err(_) if path.is_symlink() => return Err(link_to_nothing(path)),
        _ => {}
    }
    let folder = folder_of(path);
    if !folder.exists() {
        bail!("{} cannot be written: there is no folder {}; make it first", path.display(), folder.display());
    }
    let probe = tempfile::Builder::new().tempfile_in(folder);
    probe.map(|_| ()).with_context(|| format!("{} cannot be written", path.display()))
}

/// A folder that is there, in which no other run of the program writes as long as this is there.
pub struct Claimed {
    _lock: Option<File>,
}

/// Makes a folder and claims it.
///
/// # Errors
/// Another run has it, or it cannot be made.
pub fn claim(folder: &Path) -> Result<Claimed> {
    fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    // Not every system opens folders, nor locks them; two runs are told apart where it can be done.
    let Ok(opened) = File::open(folder) else { return Ok(Claimed { _lock: None }) };
    match opened.try_lock() {
        Ok(()) => Ok(Claimed { _lock: Some(opened) }),
        Err(TryLockError::WouldBlock) => {
            bail!("another run writes into {}; wait for its end or give another folder", folder.display())
        }
        Err(TryLockError::Error(_)) => Ok(Claimed { _lock: None }),
    }
}

fn link_to_nothing(path: &Path) -> anyhow::Error {
    anyhow::anyhow!("{} cannot be written: it is a link to a file that is not there; remove it first", path.display())
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
        Err(_) if path.is_symlink() => Err(link_to_nothing(path)),
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
    let _whole = super::interrupt::hold();
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
    let _ = writeln!(io::stderr(), "{}", shown(line));
}

/// A text whose control characters, which may come from files and mean something to terminals, are written out.
pub fn shown(text: &str) -> String {
    let is_harmless = |c: char| !c.is_control() || c == '\n';
    let one = |c: char| if is_harmless(c) { c.to_string() } else { c.escape_default().to_string() };
    if text.chars().all(is_harmless) { text.to_owned() } else { text.chars().map(one).collect() }
}

/// The longest message, bytes.
const LONGEST: usize = 1000;

/// A message that is not too long: of a longer one, its beginning and its end.
pub fn shortened(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let head = text.floor_char_boundary(LONGEST / 2);
    let tail = text.ceil_char_boundary(text.len() - LONGEST / 3);
    format!("{} … {}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short_and_show_what_is_in_them() {
        assert_eq!(shown("a \u{1b}[31m\tb\u{7f}\nc"), "a \\u{1b}[31m\\tb\\u{7f}\nc");
        let long = format!("what is wrong: {}; what to do", "ä".repeat(3000));
        let short = shortened(long);
        assert!(
            short.len() <= LONGEST && short.starts_with("what is wrong") && short.ends_with("what to do"),
            "{short}"
        );
        assert_eq!(shortened("short".into()), "short");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["result", "latest"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for refusal in [write_to(&link, b"new"), check_folder(&link)] {
            assert!(refusal.unwrap_err().to_string().contains("link to a file that is not there"));
        }
        assert!(link.is_symlink() && !file.exists());
        fs::write(&file, "old").unwrap();
        check_folder(&link).unwrap();
        write_to(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn a_folder_is_claimed_once() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("results");
        let claimed = claim(&place).unwrap();
        let refusal = claim(&place).err().unwrap().to_string();
        assert!(refusal.contains("another run") && refusal.contains("results"), "{refusal}");
        drop(claimed);
        claim(&place).unwrap();
    }
}
