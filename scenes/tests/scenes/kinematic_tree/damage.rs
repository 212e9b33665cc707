//! Damaged files make a scene or an error, never a panic.

use drystone_scenes::kinematic_tree::parse;
use drystone_scenes::scene_file;
use proptest::prelude::*;

use super::data;

const ARM: &str = include_str!("../../data/mjcf/arm.xml");
const URDF: &str = include_str!("../../data/urdf/arm.urdf");

/// Reads the text; what it makes can be kept, what it cannot make is said in a line.
fn survive(text: &str) {
    match parse(text, data().join("mjcf/damaged.xml")) {
        Ok(read) => {
            assert!(read.scene.states().iter().all(drystone_engine::Body::state_is_finite));
            scene_file::encode(&read.scene).unwrap();
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
        }
    }
}

#[test]
fn a_file_that_is_cut_short_is_no_model() {
    for whole in [ARM, URDF] {
        for end in whole.trim_end().char_indices().map(|(at, _)| at) {
            assert!(parse(&whole[..end], "cut.xml").is_err());
        }
    }
}

#[test]
fn a_million_nested_elements_are_refused() {
    let text = "<mujoco>".to_owned() + &"<a>".repeat(1_000_000) + &"</a>".repeat(1_000_000) + "</mujoco>";
    assert!(parse(&text, "deep.xml").unwrap_err().to_string().contains("elements deep"));
}

/// The places of values in a text, between quotes.
fn values(text: &str) -> Vec<std::ops::Range<usize>> {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    quotes.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn odd_values_do_no_harm(
        is_urdf: bool, place: prop::sample::Index,
        value in prop::sample::select(vec![
            "", "0", "-1", "1e9", "1e-300", "nan", "inf", "1e400", "x", "1 2 3", "0 0 0", "0 0 0 0", "1 1 1 1 1 1", "true", "auto", "mesh",
            "box", "lower", "upper", "foot", "world", "4294967296", "../arm.xml", "\u{1f980}", "free", "ball", "floating", "prismatic",
        ]),
    ) {
        let whole = if is_urdf { URDF } else { ARM };
        let places = values(whole);
        let mut text = whole.to_owned();
        text.replace_range(places[place.index(places.len())].clone(), value);
        survive(&text);
    }

    #[test]
    fn odd_characters_do_no_harm(at: prop::sample::Index, with in "[<>\"/=& a-z0-9.]{0,3}") {
        let mut text = ARM.to_owned();
        let at = at.index(text.len() - 1);
        if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
            text.replace_range(at..at + 1, &with);
            survive(&text);
        }
    }
}
