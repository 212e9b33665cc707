use crate::workbench::*;
use glam::{DQuat, DVec3};

#[test]
fn probe() {
    for (mu, e) in [(0.5, 0.0), (0.0, 0.0), (0.5, 0.3), (0.0, 0.3)] {
        let mut bench = Bench::new(mu, e);
        bench.plane();
        let rotation = DQuat::from_rotation_x(0.2) * DQuat::from_rotation_z(0.13);
        bench.dynamic(&block(DVec3::new(1.0, 0.6, 0.8)), at(0.1, 1.0, 0.2, rotation));
        let e0 = bench.energy();
        let t0 = std::time::Instant::now();
        let run = bench.run(3.0);
        let kinds: Vec<_> = run.reports.iter().flat_map(|r| &r.events).map(|e| format!("{:.4} {:?} {:.1e}", e.time, e.kind, e.normal_speed)).collect();
        println!("{mu} {e}: {:?} contacts {} last {} rise {:e} gap {:e} depth {:e}", t0.elapsed(), run.contacts(), run.last_event(), run.rise_after(0.0, e0), run.least_gap, run.depth);
        println!("{} {:?}", kinds.len(), &kinds[..kinds.len().min(60)]);
        let w = run.reports.iter().fold((0,0,0,0,0,0,0,0), |s, r| (s.0+r.work.vclip_calls, s.1+r.work.svd_solves, s.2+r.work.halvings, s.3+r.work.tamed, s.4+r.work.statuses.exact, s.5+r.work.statuses.otherwise_exact,s.6+r.work.statuses.fallback,s.7+r.work.statuses.inconsistent));
        println!("{w:?}");
        let b = &bench.simulation.bodies()[1];
        println!("{:?} v {:e} w {:e}", b.position, b.velocity.length(), b.angular_velocity.length());
        for c in &run.reports.last().unwrap().contacts { println!("{:?} {:e} {:?}", c.pair, c.gap, c.force); }
    }
}
