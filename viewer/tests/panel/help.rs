//! The help, and the key that egui would take.

use crate::window::*;

#[test]
fn the_help_lists_every_key() {
    let mut window = cliff();
    click(&mut window, "Help");
    for binding in &BINDINGS {
        assert!(window.query_all_by_label(&binding.keys_text()).next().is_some(), "{}", binding.keys_text());
        assert!(window.query_all_by_label(binding.says).next().is_some(), "{}", binding.says);
    }
    for (gesture, _) in GESTURES {
        assert!(window.query_by_label(gesture).is_some(), "{gesture}");
    }
    window.get_all_by_label("?").last().unwrap().click();
    window.run_steps(3);
    assert!(window.query_by_label("Keys and mouse").is_none());
}

#[test]
fn tab_is_left_to_the_next_contact() {
    let mut window = cliff();
    window.key_press(Key::Tab);
    window.run_steps(3);
    assert_eq!(window.ctx.memory(|memory| memory.focused()), None);
}
