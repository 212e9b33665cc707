//! Files that are whole or not there: written beside their place, then renamed.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Whether a path means standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes to a file, or to standard output for "-".
pub fn write_to(path: &Path, content: &[u8]) -> Result<()> {
    if is_standard(path) {
        let mut out = io::stdout().lock();
        out.write_all(content)?;
        return Ok(out.flush()?);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = || format!("{} cannot be written", path.display());
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(place)?;
    file.write_all(content).with_context(place)?;
    file.persist(path).with_context(place)?;
    Ok(())
}
