//! TetGen's input: a surface as a `.poly` file.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::surface::Surface;

/// Writes a surface as a piecewise linear complex with one facet per triangle, indices from 0, no holes or regions.
pub(super) fn write_surface(surface: &Surface, path: &Path) -> io::Result<()> {
    let mut text = format!("{} 3 0 0\n", surface.vertices().len());
    for (index, p) in surface.vertices().iter().enumerate() {
        // Display prints the shortest digits that read back as the same number.
        let _ = writeln!(text, "{index} {} {} {}", p.x, p.y, p.z);
    }
    let _ = writeln!(text, "{} 0", surface.triangles().len());
    for [a, b, c] in surface.triangles() {
        let _ = writeln!(text, "1\n3 {a} {b} {c}");
    }
    text += "0\n0\n";
    fs::write(path, text)
}
