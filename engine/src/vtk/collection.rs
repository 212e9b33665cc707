//! Collections (`.pvd`): which file shows which time.

use std::io::{self, Write};

/// Files and their times, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collection {
    files: Vec<(f64, String)>,
}

impl Collection {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Adds a file, by its name in the folder of the collection; `time` in s.
    pub fn add(&mut self, time: f64, file: String) {
        self.files.push((time, file));
    }

    /// Writes the collection.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(out, "<VTKFile type=\"Collection\" version=\"1.0\">")?;
        writeln!(out, "<Collection>")?;
        for (time, file) in &self.files {
            writeln!(out, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{file}\"/>")?;
        }
        writeln!(out, "</Collection>")?;
        writeln!(out, "</VTKFile>")?;
        out.flush()
    }
}
