//! The page in Chromium without a window: the bits of a browser, which has no threads, are those of this machine with threads.

mod browser;

use browser::chromium;
use drystone_wasm::Falling;
use drystone_wasm::motions::MOTIONS;
use std::process::{Command, Output};

#[test]
fn a_browser_computes_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    assert!(Command::new(env!("CARGO_BIN_EXE_wasm-page")).arg(&page).status().unwrap().success());
    let open = |attempt: u32| {
        Command::new(chromium())
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--virtual-time-budget=60000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.path().join(format!("profile-{attempt}")).display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .unwrap()
    };
    // Virtual time does not wait for the compiler of a busy browser: a page that has not ended is opened again.
    let is_done = |output: &Output| String::from_utf8_lossy(&output.stdout).contains(">Done<");
    let output = (1..3).map(open).find(is_done).unwrap_or_else(|| open(3));
    let text = String::from_utf8_lossy(&output.stdout);
    let shown = text.rfind("id=\"rows\"").map_or(&*text, |from| &text[from.min(text.len())..]);
    assert!(text.contains(">Done<"), "{shown}\n{}", String::from_utf8_lossy(&output.stderr));
    let mut world = Falling::new().unwrap();
    for steps in 1..=200 {
        world.step().unwrap();
        if steps % 20 == 0 {
            let height = world.height().unwrap();
            let row = format!("<td>{steps}</td><td>{height:.4}</td><td>{:016x}</td>", world.checksum());
            assert!(text.contains(&row), "{row} is not in {shown}");
        }
    }
    for (name, digest) in MOTIONS {
        let row = format!("<td>{name}</td><td>{:016x}</td>", digest().unwrap());
        assert!(text.contains(&row), "{row} is not in {shown}");
    }
}
