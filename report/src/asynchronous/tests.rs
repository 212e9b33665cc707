use drystone_engine::simulator::Simulator;
use drystone_scenes::opening::{What, open_surfaces};

use super::*;

#[test]
fn the_page_has_shares_steps_and_curves_of_all_frames() {
    let opened = open_surfaces(&"two-shells".parse::<What>().unwrap()).unwrap().unwrap();
    let mut simulator = opened.simulator().unwrap();
    let mut report = SurfaceReport::default();
    for _ in 0..2 {
        let step = Simulator::step(&mut simulator).unwrap();
        let seconds = 0.5;
        let report_of = step.asynchronous.unwrap();
        report.frames.push(SurfaceFrame {
            step: step.step,
            time: step.time,
            time_step: 0.0025,
            seconds,
            report: *report_of,
        });
    }
    let all: u64 = report.frames.iter().map(|frame| frame.report.profile.all_events()).sum();
    assert_eq!(report.frames[1].report.events, all, "each event has a kind");
    report.head.title = "<two & two>".into();
    let page = report.page();
    assert!(page.contains("&lt;two &amp; two&gt;") && page.contains("elastic forces, gravity"), "{page}");
    assert_eq!(page.matches("<svg").count(), 1 + 6 + 5 + 2 + 2, "charts and what their lines mean");
    let rows = page.split("<tbody>").nth(1).unwrap().matches("<tr>").count();
    assert_eq!(rows, 7);
    assert!(page.contains(">200.0<") && page.contains("seconds of wall time a simulated second"));
    let empty = SurfaceReport::default().page();
    assert!(empty.contains("Deformable surfaces") && !empty.contains("<svg"));
}
