//! What is run: scene, method, numbers, files, memory.

use crate::window::*;

#[test]
fn another_run_is_chosen_from_lists() {
    let mut window = cliff();
    let request = |window: &Viewer| window.state().state.request().clone();
    choose(&mut window, "Name", "wedges");
    assert_eq!(
        request(&window),
        Request { method: methods::growth_distance(), ..Request::new("wedges".parse().unwrap()) }
    );
    choose(&mut window, "Method", "vertex-only");
    choose(&mut window, "Variant", "published");
    choose(&mut window, "Settings", "embedding");
    choose(&mut window, "Solver", "svd");
    let now = request(&window);
    assert_eq!(
        (now.method, now.world_preset),
        (Variant::Published.of(&methods::vertex_only()), WorldPreset::Embedding)
    );
    assert_eq!(now.solver, ContactSolver::ALL[1]);
    choose(&mut window, "Compare with", "semi-local");
    wait(&mut window);
    let semi_local = Variant::Published.of(&methods::semi_local());
    assert_eq!(window.state().state.compared(), Some(semi_local));
    let views = &window.state().free.views;
    assert!(views.len() == 2 && views[0].max.x < views[1].min.x && (views[0].width() - views[1].width()).abs() < 1.0);
    assert!(
        says(&window, "vertex-only: ") && says(&window, "semi-local: ") && says(&window, "wrong normals, mean quality")
    );
    choose(&mut window, "Compare with", "none");
    assert_eq!((window.state().state.compared(), window.state().free.views.len()), (None, 1));
    do_it(&mut window, Command::GoTo(3));
    press(&mut window, "Restart");
    let state = &window.state().state;
    assert_eq!(state.playback.step, 0);
    assert!(state.tracks()[0].history().last_step().is_none_or(|last| last == 0), "begun again");
}

#[test]
fn numbers_of_the_run_are_typed_and_what_makes_no_sense_is_said_in_place() {
    let mut window = cliff();
    assert!(window.query_by_role_and_label(Role::Button, "Apply").is_none(), "nothing to apply");
    fill(&mut window, "Time step", "fast");
    press(&mut window, "Apply");
    assert!(says(&window, "\"fast\" is no number"));
    assert_eq!(window.state().state.request().time_step, None);
    let mut window = cliff();
    fill(&mut window, "Time step", "0.002");
    fill(&mut window, "Size", "2");
    fill(&mut window, "Perturbation", "0.001");
    press(&mut window, "Apply");
    let request = window.state().state.request().clone();
    assert_eq!((request.time_step, request.size, request.perturbation), (Some(0.002), Some(2.0), Some((0.001, 1))));
    wait(&mut window);
    assert_eq!(window.state().state.tracks()[0].subject().unwrap().time_step, 0.002);
    fill(&mut window, "Seed", "7");
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().state.request().perturbation, Some((0.001, 17)), "typed after the 1");
}

#[test]
fn files_are_opened_and_refused_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = cliff();
    fill(&mut window, "File", "no/such/file.toml");
    press(&mut window, "Open");
    assert!(says(&window, "o such file"));
    assert!(window.state().state.failure().is_none(), "the run goes on");
    let path = folder.path().join("wrong.toml");
    std::fs::write(&path, "bodies = 3").unwrap();
    let mut window = cliff();
    fill(&mut window, "File", path.to_str().unwrap());
    window.key_press(Key::Enter);
    window.run_steps(2);
    window.state_mut().state.wait(PATIENCE);
    window.run_steps(2);
    assert!(says(&window, "This run does not go on") && says(&window, "Failed: "));
    assert!(says(&window, "press R to begin again"));
    press(&mut window, "Recent files");
    assert!(window.query_by_label("wrong.toml").is_some());
}

#[test]
fn opening_says_so() {
    let state = State::new(Request::new("wall".parse().unwrap()), View::default(), State::DEFAULT_BUDGET);
    let show = |ui: &mut egui::Ui, window: &mut Window| window.free = ui::show(ui, &mut window.state);
    let window = Harness::builder().build_ui_state(show, Window { state, free: Free::default() });
    assert!(says(&window, "wall with semi-local") && window.state().free.views.len() == 1);
}

#[test]
fn memory_is_given() {
    let mut window = cliff();
    let before = window.state().state.budget();
    let label = window.query_all_by_label_contains("Memory: ").last().unwrap().accesskit_node().label().unwrap();
    slide(&mut window, &label, Key::ArrowLeft);
    assert!(window.state().state.budget() < before);
}
