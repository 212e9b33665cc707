//! Builds the world of ten lines for browsers and writes a page that runs it, all in one file.
//!
//! ```text
//! rustup target add wasm32-unknown-unknown
//! cargo run -p drystone-wasm --bin wasm-page -- page.html
//! ```

#[cfg(not(target_family = "wasm"))]
fn main() -> anyhow::Result<()> {
    use anyhow::{Context, ensure};
    use base64::Engine;
    use std::path::Path;
    use std::process::Command;

    let page = std::env::args_os().nth(1).context("name the page to write: wasm-page PAGE.html")?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the package has no folder above it")?;
    // A folder of its own: cargo may be at work in the usual one.
    let target = root.join("target/wasm");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args([
            "build",
            "--package",
            "drystone-wasm",
            "--lib",
            "--profile",
            "web",
            "--target",
            "wasm32-unknown-unknown",
        ])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(root)
        .status()
        .context("cargo cannot be run")?;
    ensure!(
        status.success(),
        "the build for browsers failed; if its target is missing, run `rustup target add wasm32-unknown-unknown`"
    );
    let module = target.join("wasm32-unknown-unknown/web/drystone_wasm.wasm");
    let module = std::fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    let text =
        include_str!("../page.html").replace("MODULE", &base64::engine::general_purpose::STANDARD.encode(module));
    std::fs::write(&page, text).with_context(|| format!("cannot write {}", Path::new(&page).display()))
}

#[cfg(target_family = "wasm")]
fn main() {}
