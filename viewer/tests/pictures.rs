//! Pictures without a window, compared with stored ones.
//!
//! The stored pictures are beside this file. A picture may differ from its stored one by [`MEAN`] and [`SHARE`]: room for another
//! version of the driver or another processor, far less than what a missing colour changes (a test below). To make them anew:
//! `DRYSTONE_RENEW_PICTURES=1 cargo test -p drystone-viewer --test pictures`, then look at them.

#[path = "pictures/difference.rs"]
mod difference;

use std::path::{Path, PathBuf};

use clap::Parser;
use difference::Difference;
use drystone_viewer::arguments::Arguments;
use drystone_viewer::film::write;
use drystone_viewer::headless::Headless;
use drystone_viewer::model::{BodyStyle, Command};
use drystone_viewer::remembered::Remembered;
use image::RgbImage;

/// The mean difference that is allowed, ΔE.
const MEAN: f64 = 0.5;
/// The share of blocks that may be seen to differ, 0…1.
const SHARE: f64 = 0.01;

fn start(words: &str) -> Headless {
    let all = ["drystone-viewer", "--size", "480x270"].into_iter().chain(words.split_whitespace());
    let arguments = Arguments::try_parse_from(all).unwrap();
    let state = arguments.state(&Remembered::default()).unwrap();
    // Without a driver this says what to install; a picture that cannot be made is no test that passes.
    Headless::new(state, arguments.picture_settings()).unwrap_or_else(|error| panic!("{error}"))
}

fn draw(words: &str) -> RgbImage {
    start(words).picture().unwrap()
}

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(name).with_extension("png")
}

fn check(name: &str, words: &str) {
    let (drawn, path) = (draw(words), stored(name));
    if std::env::var_os("DRYSTONE_RENEW_PICTURES").is_some() {
        write(&drawn, &path).unwrap();
    }
    let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("png");
    let keep = |why: String| {
        write(&drawn, &new).unwrap();
        panic!("{why}; the new picture is {}", new.display());
    };
    let before = image::open(&path).map(|picture| picture.into_rgb8());
    let before = before.unwrap_or_else(|error| keep(format!("{}: {error}", path.display())));
    let difference = Difference::between(&before, &drawn);
    if difference.mean > MEAN || difference.share > SHARE {
        keep(format!("{} looks different: {difference:?}", path.display()));
    }
}

const PILLAR: &str = "pillar --method growth-distance --step 3 --explode 1 --along y --bodies wireframe";

#[test]
fn the_pillar_of_growth_distance_moved_apart() {
    check("pillar", PILLAR);
}

#[test]
fn two_methods_beside_each_other() {
    check("comparison", "cliff-edges --method most-opposing --compare semi-local --step 3 --explode 0.6 --along y");
}

#[test]
fn a_picked_contact_with_its_features() {
    check("picked", "internal-edges --method semi-local --step 3 --select 0 --ghost 0 --ghost 1");
}

#[test]
fn the_same_picture_twice_is_the_same_to_the_last_byte() {
    let words = "arch --method closest-points --step 2 --explode 0.3";
    let mut headless = start(words);
    let (first, again) = (headless.picture().unwrap(), headless.picture().unwrap());
    assert!(first == again, "from one renderer");
    assert!(first == draw(words), "from another one");
}

#[test]
fn what_changes_is_seen_to_change() {
    let mut headless = start(PILLAR);
    let picture = headless.picture().unwrap();
    let mut difference = |change: fn(&mut Headless)| {
        change(&mut headless);
        Difference::between(&picture, &headless.picture().unwrap())
    };
    let same = difference(|_| {});
    assert_eq!((same.mean, same.share), (0.0, 0.0));
    type Change = fn(&mut Headless);
    let changes: [(&str, Change); 4] = [
        ("colours", |h| h.state().apply(Command::Colour(drystone_report::inspection::ColourBy::Plain))),
        ("apart", |h| h.state().apply(Command::Explode(-0.5))),
        ("bodies", |h| h.state().apply(Command::Bodies(BodyStyle::Solid))),
        ("points", |h| (h.state().view.points, h.state().view.normals) = (false, false)),
    ];
    for (what, change) in changes {
        let seen = difference(change);
        assert!(seen.mean > MEAN || seen.share > SHARE, "{what}: {seen:?}");
    }
}

#[test]
fn the_measure_knows_what_is_far_apart() {
    let plain = |rgb| RgbImage::from_pixel(8, 8, image::Rgb(rgb));
    let between = |p, q| Difference::between(&plain(p), &plain(q)).mean;
    assert!((between([0; 3], [255; 3]) - 100.0).abs() < 0.1, "black and white");
    assert!(between([128; 3], [129; 3]) < 1.0, "what nobody sees");
    assert!(between([200, 30, 30], [30, 30, 200]) > 60.0, "red and blue");
}

#[test]
fn far_from_the_origin_the_picture_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |far: i32| {
        let path = folder.path().join(format!("{far}.toml"));
        let body = |name: &str, x: f64, y: f64| {
            let x = x + f64::from(far);
            format!(
                "[[body]]\nname = \"{name}\"\nmaterial = \"stone\"\ndensity = 1000\nposition = [{x}, {y}, 0]\nshape.box = [1, 0.5, 1]\n"
            )
        };
        let head = "name = \"far\"\ngravity = [0, 0, 0]\nmaterials = [\"stone\"]\n\
                    [[interaction]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.4\n";
        std::fs::write(&path, [head, &body("low", 0.0, 0.0), &body("high", 0.25, 0.5)].concat()).unwrap();
        draw(&format!("{} --step 0 --no-legend --explode 0.5 --colour plain", path.display()))
    };
    let difference = Difference::between(&picture(0), &picture(1 << 26));
    assert!(difference.mean < 0.1 && difference.share < 0.001, "{difference:?}");
}
