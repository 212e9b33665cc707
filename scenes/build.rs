//! Tells the crate which build it is of: a hash of all sources that results depend on, and of the compiler.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What results depend on, from the folder of this crate. Outside of the workspace only its own sources are there, and the
/// versions of the other crates say what they are.
const PLACES: [&str; 13] = [
    "../contact/Cargo.toml",
    "../contact/src",
    "../engine/Cargo.toml",
    "../engine/data",
    "../engine/src",
    "../replica/Cargo.toml",
    "../replica/data",
    "../replica/src",
    "../Cargo.lock",
    "../Cargo.toml",
    "Cargo.toml",
    "data",
    "src",
];

fn main() -> io::Result<()> {
    let mut hasher = blake3::Hasher::new();
    for place in PLACES.map(Path::new).into_iter().filter(|place| place.exists()) {
        println!("cargo:rerun-if-changed={}", place.display());
        for file in files(place)? {
            let content = fs::read(&file)?;
            hasher.update(file.to_string_lossy().replace('\\', "/").as_bytes());
            hasher.update(&(content.len() as u64).to_le_bytes());
            hasher.update(&content);
        }
    }
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    hasher.update(&std::process::Command::new(compiler).arg("--version").output()?.stdout);
    println!("cargo:rustc-env=DRYSTONE_BUILD={}", &hasher.finalize().to_hex()[..16]);
    Ok(())
}

/// The files of a place, in order.
fn files(place: &Path) -> io::Result<Vec<PathBuf>> {
    if !place.is_dir() {
        return Ok(vec![place.into()]);
    }
    let mut entries = fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let nested = entries.iter().map(|entry| files(entry)).collect::<io::Result<Vec<_>>>()?;
    Ok(nested.concat())
}
