use crate::workbench::*;
use glam::{DQuat, DVec3};

fn show(name: &str, bench: &mut Bench, seconds: f64) {
    let e0 = bench.energy();
    let t0 = std::time::Instant::now();
    let run = bench.run(seconds);
    let kinds: Vec<_> = run.reports.iter().flat_map(|r| &r.events).map(|e| format!("{:.4} {:?} {:.1e}", e.time, e.kind, e.normal_speed)).collect();
    println!("== {name}: {:?} contacts {} last {} rise {:e} ({:e} after) gap {:e} depth {:e}", t0.elapsed(), run.contacts(), run.last_event(), run.rise_after(0.0, e0), run.rise_after(run.last_event(), e0), run.least_gap, run.depth);
    println!("{} {:?}", kinds.len(), &kinds[..kinds.len().min(30)]);
    let w = run.reports.iter().fold((0,0,0,0,0,0,0,0), |s, r| (s.0+r.work.vclip_calls, s.1+r.work.svd_solves, s.2+r.work.halvings, s.3+r.work.tamed, s.4+r.work.statuses.exact, s.5+r.work.statuses.otherwise_exact,s.6+r.work.statuses.fallback,s.7+r.work.statuses.inconsistent));
    println!("{w:?}");
    for b in bench.simulation.bodies().iter().filter(|b| b.is_dynamic()) {
    println!("{:?} v {:e} w {:e}", b.position, b.velocity.length(), b.angular_velocity.length());
    }
    for c in &run.reports.last().unwrap().contacts { println!("{:?} {:?} {:e} {:?}", c.bodies, c.pair, c.gap, c.force); }
}

#[test]
fn probe() {
    let tilt = DQuat::from_rotation_x(0.2) * DQuat::from_rotation_z(0.13);
    for (mu, e) in [(0.5, 0.0), (0.0, 0.0), (0.5, 0.3), (0.0, 0.3)] {
        let mut bench = Bench::new(mu, e);
        bench.plane();
        bench.dynamic(&block(DVec3::new(1.0, 0.6, 0.8)), at(0.1, 1.0, 0.2, tilt));
        show(&format!("plane {mu} {e}"), &mut bench, 3.0);
        let mut bench = Bench::new(mu, e);
        bench.plane();
        bench.dynamic(&block(DVec3::ONE), at(0.1, 1.0, 0.2, DQuat::from_rotation_x(0.78)));
        show(&format!("edge first {mu} {e}"), &mut bench, 3.0);
        let mut bench = Bench::new(mu, e);
        let quarter = std::f64::consts::FRAC_PI_4;
        let wall = block(DVec3::new(4.0, 1.0, 4.0));
        bench.fixed(&wall, at(0.0, 0.0, 0.0, DQuat::from_rotation_z(quarter)) * at(2.0, -0.5, 0.0, DQuat::IDENTITY));
        bench.fixed(&wall, at(0.0, 0.0, 0.0, DQuat::from_rotation_z(-quarter)) * at(-2.0, -0.5, 0.0, DQuat::IDENTITY));
        bench.dynamic(&block(DVec3::new(0.6, 0.6, 0.8)), at(0.05, 0.8, 0.1, DQuat::from_rotation_z(quarter + 0.1) * DQuat::from_rotation_x(0.05)));
        show(&format!("groove {mu} {e}"), &mut bench, 3.0);
        let mut bench = Bench::new(mu, e);
        bench.plane();
        bench.dynamic(&block(DVec3::new(1.0, 0.6, 0.8)), at(0.0, 0.31, 0.0, DQuat::from_rotation_x(0.01)));
        bench.dynamic(&block(DVec3::new(0.7, 0.5, 0.6)), at(0.05, 1.1, 0.02, tilt));
        show(&format!("two {mu} {e}"), &mut bench, 3.0);
        let mut bench = Bench::new(mu, e);
        bench.plane();
        bench.dynamic(&angle_iron(), at(0.0, 1.1, 0.02, tilt));
        show(&format!("L {mu} {e}"), &mut bench, 3.0);
    }
}
