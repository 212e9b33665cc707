//! Bodies and contacts that are picked.

use crate::window::*;

#[test]
fn bodies_are_listed_picked_and_hidden() {
    let mut window = cliff();
    click(&mut window, "Bodies");
    let names: Vec<String> =
        window.state().state.tracks()[0].subject().unwrap().bodies.iter().map(|body| body.name.clone()).collect();
    assert_eq!(window.get_all_by_label("ghost").count(), names.len());
    press(&mut window, &names[1]);
    assert_eq!(window.state().state.selected, Selected::Body(BodyId::new(1)));
    assert!(says(&window, "Velocity (m/s)") && says(&window, "Mass"));
    press(&mut window, "Hide body");
    assert_eq!(window.state().state.look(BodyId::new(1)), BodyLook::Hidden);
    press(&mut window, "Ghost body");
    assert_eq!(window.state().state.look(BodyId::new(1)), BodyLook::Ghost);
    window.get_all_by_label("hidden").next().unwrap().click();
    window.run_steps(3);
    assert_eq!(window.state().state.look(BodyId::new(0)), BodyLook::Hidden);
    press(&mut window, "Show all");
    assert_eq!([0, 1].map(|k| window.state().state.look(BodyId::new(k))), [BodyLook::Usual; 2]);
    // Its contacts are listed; a click picks one.
    let text = format!("0: {} – {}", names[0], names[1]);
    press(&mut window, &text);
    let Selected::Contact { key, .. } = window.state().state.selected else { panic!("a contact is picked") };
    assert_eq!(Some(key), ContactKey::of(&window.state().state.shown(0).unwrap().frame.contacts, 0));
}

#[test]
fn the_picked_contact_says_why_it_is_there() {
    let mut window = window(opened("pillar", methods::semi_local()));
    do_it(&mut window, Command::GoTo(4));
    press(&mut window, "Next");
    wait(&mut window);
    let shown = window.state().state.shown(0).unwrap().clone();
    let picked = shown.frame.contacts[shown.selected[0]];
    let names = [picked.a, picked.b].map(|id| shown.subject.body(id).unwrap().name.clone());
    for text in [
        "Feature of A",
        "Quality",
        "semi-local, corrected",
        "Expected normals",
        "Kept: its normal",
        "Plot: Gap over time",
    ] {
        assert!(says(&window, text), "{text}");
    }
    let first = shown.selected[0];
    press(&mut window, "Next");
    wait(&mut window);
    assert_ne!(window.state().state.shown(0).unwrap().selected, [first]);
    press(&mut window, "Previous");
    wait(&mut window);
    assert_eq!(window.state().state.shown(0).unwrap().selected, [first]);
    press(&mut window, "Focus on this pair");
    assert!(
        window.state().state.focus.is_some() && says(&window, &format!("Focus: only {} and {}", names[0], names[1]))
    );
    press(&mut window, "All pairs");
    assert_eq!(window.state().state.focus, None);
    let plot = window.get_by_label("Plot: Gap over time (m)").rect();
    click_at(&mut window, plot.center());
    assert_eq!(window.state().state.playback.step, 2);
    press(&mut window, &format!("B: {}", names[1]));
    assert_eq!(window.state().state.selected, Selected::Body(picked.b));
    press(&mut window, "Clear");
    assert_eq!(window.state().state.selected, Selected::Nothing);
    assert!(says(&window, "Nothing. Click a contact"));
}

#[test]
fn a_merged_contact_leads_to_the_one_that_says_the_same() {
    use drystone::contact::generator::cone_filter::Verdict;
    let mut window = window(opened("pillar", methods::closest_points()));
    let shown = window.state().state.shown(0).unwrap().clone();
    let verdicts: Vec<Verdict> = shown.examined.contacts.iter().map(|c| c.verdict).collect();
    let merged = verdicts.iter().enumerate().find_map(|(k, verdict)| match verdict {
        Verdict::Merged { into } => Some((k, *into)),
        _ => None,
    });
    let (from, into) = merged.expect("a method that finds points twice");
    let key = ContactKey::of(&shown.frame.contacts, from).unwrap();
    do_it(&mut window, Command::Select(Selected::Contact { track: 0, key }));
    press(&mut window, &format!("Go to contact {into}"));
    assert_eq!(window.state().state.shown(0).unwrap().selected, [into]);
    let rejected =
        verdicts.iter().position(|verdict| matches!(verdict, Verdict::Rejected { .. })).expect("a wrong one");
    let key = ContactKey::of(&shown.frame.contacts, rejected).unwrap();
    do_it(&mut window, Command::Select(Selected::Contact { track: 0, key }));
    assert!(says(&window, "Rejected: "));
}
