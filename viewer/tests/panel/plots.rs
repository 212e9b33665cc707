//! Plots that are clicked.

use crate::window::*;

#[test]
fn a_bar_of_the_histogram_picks_its_contacts() {
    let mut window = cliff();
    let plot = window.get_by_label("Histogram of qualities").rect();
    let qualities: Vec<f64> =
        window.state().state.shown(0).unwrap().examined.contacts.iter().filter_map(|c| c.quality).collect();
    let wrong = qualities.iter().copied().find(|&quality| quality < 0.9).unwrap();
    let bar = ui::histogram::bar_at(wrong, 1).unwrap();
    // A margin of a twentieth at either side.
    let at = |quality: f64| plot.left() + plot.width() * (0.05 + quality as f32) / 1.1;
    let place = pos2(at(0.5 * (bar.low + bar.high)), plot.center().y);
    click_at(&mut window, place);
    let expected = Selected::Qualities { track: 0, low: bar.low, high: bar.high };
    assert_eq!(window.state().state.selected, expected);
    let count = qualities.iter().filter(|&&quality| Selected::has_quality(quality, bar.low, bar.high)).count();
    assert!(says(&window, &format!("{count} contacts with a quality from")));
    click_at(&mut window, place);
    assert_eq!(window.state().state.selected, Selected::Nothing, "and once more lets go of them");
    assert!(says(&window, "unknown for this scene") != says(&window, "Normal quality (contacts)"));
}

#[test]
fn a_click_in_a_plot_goes_to_that_step() {
    let mut window = cliff();
    do_it(&mut window, Command::GoTo(20));
    do_it(&mut window, Command::Compare(Some(methods::semi_local())));
    for name in ["Plot: Contacts", "Plot: Energy (J)", "Plot: Residual (N s)", "Plot: Coverage (%)"] {
        do_it(&mut window, Command::GoTo(20));
        let plot = window.get_by_label(name).rect();
        click_at(&mut window, pos2(plot.left() + 0.3 * plot.width(), plot.bottom() - 4.0));
        let step = window.state().state.playback.step;
        assert!((4..=7).contains(&step), "{name}: step {step}");
    }
    let plot = window.get_by_label("Plot: Contacts").rect();
    window.drag_at(plot.center());
    window.run_steps(2);
    window.hover_at(plot.left_center());
    window.run_steps(2);
    window.drop_at(plot.left_center());
    window.run_steps(2);
    assert_eq!(window.state().state.playback.step, 0);
    click(&mut window, "Plots");
    assert!(!window.state().state.view.plots && window.query_by_label("Plot: Contacts").is_none());
}
