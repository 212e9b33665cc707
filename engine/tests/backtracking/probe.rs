use crate::workbench::*;
use drystone_engine::backtracking::*;
use drystone_engine::Pose;
use glam::{DQuat, DVec3};

fn show(name: &str, bench: &mut Bench, seconds: f64) {
    let e0 = bench.energy();
    let run = bench.run(seconds);
    let kinds: Vec<_> = run.reports.iter().flat_map(|r| &r.events).map(|e| format!("{:.4} {:?} {:.1e}", e.time, e.kind, e.normal_speed)).collect();
    println!("== {name}: contacts {} last {} rise {:e} ({:e} after) gap {:e} depth {:e}", run.contacts(), run.last_event(), run.rise_after(0.0, e0), run.rise_after(run.last_event(), e0), run.least_gap, run.depth);
    println!("{} {:?} ... {:?}", kinds.len(), &kinds[..kinds.len().min(20)], &kinds[kinds.len().max(12)-12..]);
    let w = run.reports.iter().fold((0,0,0,0,0,0,0,0), |s, r| (s.0+r.work.vclip_calls, s.1+r.work.svd_solves, s.2+r.work.halvings, s.3+r.work.tamed, s.4+r.work.statuses.exact, s.5+r.work.statuses.otherwise_exact,s.6+r.work.statuses.fallback,s.7+r.work.statuses.inconsistent));
    println!("{w:?} last step {:?}", run.reports.last().unwrap().work);
    for b in bench.simulation.bodies().iter().filter(|b| b.is_dynamic()) {
        println!("{:?} v {:?} w {:?}", b.position, b.velocity, b.angular_velocity);
    }
    let mut least = f64::INFINITY; let mut n = 0;
    for &(t, e) in &run.energies { if (e - least)/e0 > 1e-10 && n < 12 { println!("rise {:e} at {t}", (e-least)/e0); n += 1; } least = least.min(e); }
    for c in &run.reports.last().unwrap().contacts { println!("{:?} {:?} {:e} {:?} n {:?}", c.bodies, c.pair, c.gap, c.force, c.normal); }
}

#[test]
fn probe() {
    let mu: f64 = 0.4;
    let angle = 0.97 * mu.atan();
    let mut bench = Bench::new(mu, 0.0);
    let slope = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_z(angle));
    bench.fixed(&block(DVec3::new(20.0, 1.0, 20.0)), slope * at(0.0, -0.5, 0.0, DQuat::IDENTITY));
    let on_it = slope * at(0.0, 0.2 + 4e-7, 0.0, DQuat::from_rotation_y(0.2));
    bench.dynamic(&block(DVec3::new(1.0, 0.4, 0.8)), on_it);
    let r = bench.simulation.step_watched(0.03, |t, b| println!("{t:.5} v {:?} w {:?}", b[1].velocity, b[1].angular_velocity)).unwrap();
    for e in r.events { println!("{e:?}"); }
    let tilt = DQuat::from_rotation_x(0.2) * DQuat::from_rotation_z(0.13);
    let mut bench = Bench::new(0.5, 0.0);
    crate::scenes::SCENES[1].1(&mut bench, tilt);
    show("edge", &mut bench, 2.9);
    let r = bench.simulation.step_watched(0.005, |t, b| println!("{t:.5} v {:?} w {:?}", b[2].velocity, b[2].angular_velocity)).unwrap();
    for e in r.events { println!("{e:?}"); }
    let settings = BacktrackingSettings { promotion: Some(Promoting::NARROW), ..BacktrackingSettings::default() };
    let mut bench = Bench::with(2.0, 0.0, settings);
    bench.plane();
    let turned = DQuat::from_rotation_z(-0.1);
    let lowest = turned * DVec3::new(0.2, -0.6, 0.0);
    bench.dynamic(&block(DVec3::new(0.4, 1.2, 0.5)), at(0.0, 4e-7 - lowest.y, 0.0, turned));
    show("rocking", &mut bench, 4.0);
    let mut bench = Bench::new(0.0, 0.0);
    crate::scenes::SCENES[2].1(&mut bench, tilt);
    show("edge first", &mut bench, 3.0);
}
