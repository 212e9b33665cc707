//! A file that grows beside its place and takes it when it is whole.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// `FILE.part`, which becomes `FILE` by [`PartFile::finish`]. What was flushed before a process is killed stays in the
/// part.
#[derive(Debug)]
pub struct PartFile {
    file: BufWriter<File>,
    part: PathBuf,
    path: PathBuf,
    /// Those of the file whose place it takes.
    permissions: Option<fs::Permissions>,
}

impl PartFile {
    /// Begins a file. Through a link it takes the place of the file that the link means, and its permissions.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`]: the path is that of a device or a pipe, or of a link to nothing. The part cannot be made;
    /// [`io::ErrorKind::AlreadyExists`] if there is one: another run writes it, or one that was killed left it, and it may be all that there is
    /// of that run.
    pub fn create(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        let invalid = |message: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        let permissions = match fs::metadata(&path) {
            Ok(there) if !there.is_file() => return invalid("it is a device or a pipe, whose place no file takes"),
            Ok(there) => Some(there.permissions()),
            Err(_) if path.is_symlink() => return invalid("it is a link to a file that is not there"),
            Err(_) => None,
        };
        let part = Self::part_of(&path);
        let file = OpenOptions::new().write(true).create_new(true).open(&part)?;
        Ok(Self { file: BufWriter::new(file), part, path: behind_links(&path), permissions })
    }

    /// Where the part of a file is: beside the file that a link means.
    pub fn part_of(path: &Path) -> PathBuf {
        let mut name = OsString::from(behind_links(path));
        name.push(".part");
        PathBuf::from(name)
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// What was written last could not be stored, or the part cannot be renamed.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some(permissions) = self.permissions {
            self.file.get_ref().set_permissions(permissions)?;
        }
        self.file.get_ref().sync_all()?;
        fs::rename(&self.part, &self.path)
    }
}

/// The file that a link means; the path as it is, of one that is no link.
fn behind_links(path: &Path) -> PathBuf {
    if path.is_symlink() { fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_not_overwritten_and_takes_its_place_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.drystone");
        fs::write(&path, "old").unwrap();
        let mut file = PartFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(PartFile::create(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.flush().unwrap();
        assert_eq!(fs::read(PartFile::part_of(&path)).unwrap(), b"new");
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(!PartFile::part_of(&path).exists());
        assert!(PartFile::create(folder.path()).is_err());
        #[cfg(unix)]
        {
            let socket = folder.path().join("socket");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert_eq!(PartFile::create(&socket).unwrap_err().kind(), io::ErrorKind::InvalidInput);
            assert!(!PartFile::part_of(&socket).exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_the_links_to_it() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["run.drystone", "latest"].map(|name| folder.path().join(name));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut file = PartFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(PartFile::part_of(&path)).unwrap(), b"new");
        file.finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_file(&path).unwrap();
        assert_eq!(PartFile::create(&link).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert!(link.is_symlink() && !path.exists());
    }
}
