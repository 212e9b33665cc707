//! Where Chromium is, for tests that look at pages; those of the viewer use this file too.

use std::path::PathBuf;

/// The program, on the `PATH`.
pub fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let programs = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    programs.into_iter().find(|program| program.is_file()).unwrap_or_else(|| {
        panic!("this test looks at a page in Chromium, which is not installed: run scripts/install-packages")
    })
}
