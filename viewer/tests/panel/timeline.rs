//! Where everything is, and the timeline.

use crate::window::*;

#[test]
fn everything_has_its_place() {
    for size in [[1280.0, 720.0], [1920.0, 1080.0], [800.0, 500.0]] {
        let window = sized(opened("cliff-edges", methods::growth_distance()), size);
        let [view] = window.state().free.views[..] else { panic!("one view") };
        assert!(view.width() > 0.4 * size[0] && view.height() > 0.8 * size[1], "{view} of {size:?}");
        assert_eq!(window.state().free.view_at(view.center()), Some(0));
        assert_eq!(window.state().free.view_at(pos2(size[0] - 5.0, 5.0)), None, "there is the panel");
        for name in ["First", "Back", "Play", "Step", "Last"] {
            let place = button(&window, name).rect();
            assert!(
                place.min.y > view.max.y - 1.0 && place.max.y <= size[1] && place.max.x < size[0],
                "{name}: {place}"
            );
        }
        for (role, name) in [(Role::Slider, "Scrub"), (Role::Slider, "Speed"), (Role::CheckBox, "Loop")] {
            let place = window.get_by_role_and_label(role, name).rect();
            assert!(place.max.x <= size[0] && place.min.x > 0.0 && place.width() > 10.0, "{name}: {place}");
        }
    }
}

#[test]
fn the_timeline_goes_through_the_steps() {
    let mut window = cliff();
    let step = |window: &Viewer| window.state().state.playback.step;
    press(&mut window, "Step");
    wait(&mut window);
    press(&mut window, "Step");
    wait(&mut window);
    assert_eq!(step(&window), 2);
    press(&mut window, "Back");
    assert_eq!(step(&window), 1);
    press(&mut window, "Last");
    assert_eq!(step(&window), 2);
    press(&mut window, "First");
    assert_eq!(step(&window), 0);
    slide(&mut window, "Scrub", Key::ArrowRight);
    assert_eq!(step(&window), 1);
    press(&mut window, "Play");
    assert!(window.state().state.playback.is_playing);
    press(&mut window, "Pause");
    assert!(!window.state().state.playback.is_playing);
    click(&mut window, "Loop");
    assert!(window.state().state.playback.is_looped);
    let speed = window.state().state.playback.speed;
    slide(&mut window, "Speed", Key::ArrowRight);
    assert!(window.state().state.playback.speed > speed);
}

#[test]
fn a_step_can_be_typed_and_the_slider_dragged() {
    let mut window = cliff();
    window.get_by_role_and_label(Role::SpinButton, "Step").click();
    window.run_steps(3);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("12".into()));
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().state.playback.step, 12);
    assert!(says(&window, "Step 12 is being made") || window.state().state.shown(0).unwrap().frame.step == 12);
    wait(&mut window);
    assert!(says(&window, "12 made"));
    let place = window.get_by_role_and_label(Role::Slider, "Scrub").rect();
    window.drag_at(place.right_center() - egui::vec2(6.0, 0.0));
    window.run_steps(2);
    window.hover_at(place.center());
    window.run_steps(2);
    window.drop_at(place.center());
    window.run_steps(2);
    assert_eq!(window.state().state.playback.step, 6);
}
