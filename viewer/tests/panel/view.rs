//! What is drawn, what its colours mean, and the numbers of the step.

use crate::window::*;

#[test]
fn what_is_drawn_is_chosen() {
    let mut window = cliff();
    choose(&mut window, "Body style", "wireframe");
    choose(&mut window, "Colour by", "verdict");
    choose(&mut window, "Draw contacts", "doubtful");
    choose(&mut window, "Apart along", "y");
    choose(&mut window, "Contacts with", "between");
    for mark in ["Points", "Normals", "Polygons", "Legend"] {
        click(&mut window, mark);
    }
    slide(&mut window, "Apart", Key::ArrowRight);
    slide(&mut window, "Point size", Key::ArrowRight);
    slide(&mut window, "Normal size", Key::ArrowLeft);
    let view = window.state().state.view.clone();
    assert_eq!((view.bodies, view.colour, view.show), (BodyStyle::Wireframe, ColourBy::Verdict, Show::Doubtful));
    assert_eq!((view.explode.along, view.contacts_with), (ExplodeAlong::Y, ContactsWith::Between));
    assert_eq!([view.points, view.normals, view.polygons, view.legend], [false; 4]);
    assert!(view.explode.amount > 0.0 && view.point_size > 1.0 && view.normal_size < 1.0);
    press(&mut window, "As in the paper");
    assert_eq!(window.state().state.view.colour, ColourBy::Plain);
    press(&mut window, "Default");
    assert_eq!(window.state().state.view, View { legend: false, ..View::default() });
}

#[test]
fn colours_have_a_legend() {
    let mut window = cliff();
    assert!(says(&window, "Normal quality |n·e|"));
    do_it(&mut window, Command::Colour(ColourBy::FeaturePair));
    let entries = window.state().state.shown(0).unwrap().colouring.legend.clone();
    let drystone_report::inspection::Legend::Names { entries, .. } = entries else { panic!("names") };
    assert!(!entries.is_empty());
    for (_, name, count) in entries {
        assert!(window.query_by_label(&format!("{name} ({count})")).is_some(), "{name}");
    }
    do_it(&mut window, Command::Colour(ColourBy::Force));
    let count = window.state().state.shown(0).unwrap().frame.contacts.len();
    assert!(says(&window, &format!("unknown ({count})")), "there are no forces at the start");
    window.state_mut().state.view.legend = false;
    window.run_steps(2);
    assert!(!says(&window, "Force (N)"));
}

#[test]
fn numbers_are_always_to_be_seen() {
    let mut window = cliff();
    do_it(&mut window, Command::GoTo(3));
    let contacts = window.state().state.shown(0).unwrap().frame.contacts.len().to_string();
    for is_panel in [true, false] {
        window.state_mut().state.view.panel = is_panel;
        window.run_steps(3);
        for name in ["Deepest contact", "Largest overlap", "Kinetic energy", "Residual", "Coverage", "Sweeps"] {
            assert!(window.query_by_label(name).is_some(), "{name}, panel {is_panel}");
        }
        assert!(window.query_all_by_label(&contacts).next().is_some(), "{contacts} contacts");
    }
    do_it(&mut window, Command::First);
    assert!(says(&window, "no forces yet"));
    assert!(window.query_by_label("Scene").is_none(), "the panel is hidden");
    press(&mut window, "Panel");
    assert!(window.query_by_label("Scene").is_some());
    press(&mut window, "Panel");
    assert!(window.query_by_label("Scene").is_none());
}

#[test]
fn overlap_is_measured_when_it_is_asked_for() {
    let mut window = cliff();
    assert!(says(&window, "not measured"));
    click(&mut window, "Overlap");
    assert!(!says(&window, "not measured"));
    let overlap = window.state().state.shown(0).unwrap().overlap.clone();
    // The cube of this scene rests exactly on the frustum.
    assert!(matches!(overlap, Some(Ok(deepest)) if deepest.is_none_or(|deepest| deepest.depth < 1e-9)));
}

#[test]
fn a_step_that_was_given_up_is_said_to_be() {
    let mut window = cliff();
    let frame = window.state().state.shown(0).unwrap().frame.bytes();
    window.state_mut().state.set_budget(8 * frame);
    do_it(&mut window, Command::GoTo(40));
    let kept = window.state().state.tracks()[0].history().frames().nth(1).unwrap().step;
    do_it(&mut window, Command::GoTo(kept + 1));
    assert!(says(&window, &format!("Step {} was given up for memory", kept + 1)));
}
