//! Words of the command line, right and wrong ones.

use super::*;
use drystone::contact::generator::methods;

fn read(words: &str) -> Result<Arguments, String> {
    let words = std::iter::once("drystone-viewer").chain(words.split_whitespace());
    Arguments::try_parse_from(words).map_err(|error| error.to_string())
}

#[test]
fn what_is_asked_for_is_done() {
    let arguments =
        read("wall --method vertex-only --embedding --step 4 --explode 0.5 --along y --preset paper").unwrap();
    let request = arguments.request(&Remembered::default()).unwrap();
    assert_eq!((request.method, request.world_preset), (methods::vertex_only(), WorldPreset::Embedding));
    let view = arguments.view(View::default());
    assert_eq!((view.bodies, view.explode.amount, view.explode.along), (BodyStyle::Wireframe, 0.5, ExplodeAlong::Y));
    let changed = read("wall --method volume-sat --variant published --compare semi-local{\"envelope\":0.04}").unwrap();
    let request = changed.request(&Remembered::default()).unwrap();
    assert_eq!(request.method, Variant::Published.of(&methods::volume_sat()));
    assert_eq!(changed.compare.unwrap().settings()["envelope"], 0.04);
    let dropped = read("drop-scene --simulator backtracking --dt 0.02").unwrap();
    let request = dropped.request(&Remembered::default()).unwrap();
    assert_eq!((request.way_name(), request.time_step), ("backtracking", Some(0.02)));
    let both = read("drop-scene --simulator backtracking --solver svd").unwrap();
    assert!(both.request(&Remembered::default()).unwrap_err().to_string().contains("time-stepping"));
    let first = read("").unwrap().request(&Remembered::default()).unwrap();
    assert_eq!(first.what.to_string(), FIRST);
}

#[test]
fn unknown_names_list_what_there_is() {
    for (words, lists) in [
        ("wall --method guess", "growth-distance"),
        ("wall --method semi-local{\"hat\":1}", "envelope"),
        ("wall --compare semi-local{", "not JSON"),
        ("wall --colour taste", "feature-pair"),
        ("wall --bodies fur", "wireframe"),
        ("wall --show some", "doubtful"),
        ("wall --contacts-with c", "between"),
        ("wall --along w", "centre"),
        ("wall --preset mine", "paper"),
        ("wall --solver lemke", "svd"),
        ("wall --simulator guess", "backtracking"),
        ("castle", "pillar"),
    ] {
        let error = read(words).unwrap_err();
        assert!(error.contains(lists), "{words}: {error}");
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for words in [
        "wall --size 10",
        "wall --size 1x2",
        "wall --size 99999x20",
        "wall --explode -1",
        "wall --explode nan",
        "wall --film d --steps 5..5",
        "wall --film d --steps 5..=4",
        "wall --film d --steps x",
        "wall --film d",
        "wall --camera 1",
        "wall --perturb 0.1",
        "wall --memory 0",
        "wall --patience 0",
        "wall wall",
        "wall --picture a --gallery b",
    ] {
        assert!(read(words).is_err(), "{words}");
    }
    assert_eq!("3..=5".parse(), Ok(Steps(3..=5)));
    assert_eq!("3..6".parse(), Ok(Steps(3..=5)));
}

#[test]
fn bodies_are_found_by_name_or_number() {
    let names = |words: &str| read(words).unwrap().state(&Remembered::default());
    let state = names("cliff-edges --hide 1 --focus 0,1 --select 0").unwrap();
    assert_eq!(state.look(BodyId::new(1)), BodyLook::Hidden);
    assert_eq!(state.focus, Some(BodyPair::new(BodyId::new(0), BodyId::new(1))));
    assert!(matches!(state.selected, Selected::Contact { track: 0, .. }));
    for (words, says) in [
        ("cliff-edges --hide roof", "no body \"roof\"; there are "),
        ("cliff-edges --ghost 7", "no body \"7\""),
        ("cliff-edges --focus 1", "two bodies"),
        ("cliff-edges --select 100000", "contacts, from 0"),
    ] {
        let error = names(words).err().unwrap().to_string();
        assert!(error.contains(says), "{error}");
    }
}
