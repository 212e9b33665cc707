//! Joints move as mechanics says.

use std::f64::consts::{PI, TAU};

use drystone_contact::generator::methods;
use drystone_engine::World;
use drystone_scenes::kinematic_tree::{TreeScene, read};
use drystone_scenes::simulation::{WorldPreset, world};

use super::{data, mjcf};

fn run(read: &TreeScene) -> World {
    world(&read.scene, &methods::semi_local(), WorldPreset::Embedding).unwrap()
}

/// The mean period of something that swings about zero, s: from its falls through zero in so many seconds.
fn period(world: &mut World, seconds: f64, mut coordinate: impl FnMut(&World) -> f64) -> f64 {
    let dt = world.settings().step.time_step;
    let mut falls = Vec::new();
    let mut before = coordinate(world);
    for step in 1..=(seconds / dt) as usize {
        world.step().unwrap();
        let now = coordinate(world);
        if before > 0.0 && now <= 0.0 {
            falls.push(dt * (step as f64 - now / (now - before)));
        }
        before = now;
    }
    (falls.last().unwrap() - falls[0]) / (falls.len() - 1) as f64
}

#[test]
fn a_pendulum_has_its_period() {
    let read = read(data().join("mjcf/pendulum.xml")).unwrap();
    let (length, radius, gravity) = (1.0, 0.05, 9.81_f64);
    let small = TAU * ((length * length + 0.4 * radius * radius) / (gravity * length)).sqrt();
    let amplitude = 5.0 * PI / 180.0;
    let expected = small * (1.0 + amplitude * amplitude / 16.0);
    let found = period(&mut run(&read), 11.0, |world| world.bodies()[0].position.x);
    assert!((found / expected - 1.0).abs() < 2e-4, "{found} s, expected {expected} s");
    assert!((found / small - 1.0).abs() > 2.5e-4, "the amplitude tells");
}

#[test]
fn a_weight_on_a_spring_has_its_period() {
    let read = mjcf(
        r#"<option timestep="0.001" gravity="0 0 0"/><worldbody><body>
             <joint type="slide" axis="1 0 0" stiffness="50" ref="0.2" springref="0.5"/>
             <geom type="box" size="0.1 0.1 0.1" mass="2"/>
           </body></worldbody>"#,
    );
    let found = period(&mut run(&read), 6.0, |world| world.bodies()[0].position.x - 0.3);
    let expected = TAU * (2.0_f64 / 50.0).sqrt();
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} s, expected {expected} s");
}

#[test]
fn damping_slows_a_wheel_at_its_rate() {
    let text = r#"<option timestep="0.001"/><worldbody><body>
        <joint axis="0 0 1" damping="0.3"/><geom type="cylinder" size="0.5 0.1" mass="8"/></body></worldbody>"#;
    let mut read = mjcf(text);
    read.scene.bodies[0].body.angular_velocity.z = 2.0;
    let mut world = run(&read);
    (0..1000).for_each(|_| drop(world.step().unwrap()));
    let expected = 2.0 * (-0.3_f64 / (0.5 * 8.0 * 0.25)).exp();
    let found = world.bodies()[0].angular_velocity.z;
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} rad/s, expected {expected} rad/s");
}

#[test]
fn a_limit_stops_a_slide() {
    let read = mjcf(
        r#"<worldbody><body><joint type="slide" axis="0 0 -1" range="-1 0.25"/><geom size="0.1"/></body></worldbody>"#,
    );
    let mut world = run(&read);
    (0..1000).for_each(|_| drop(world.step().unwrap()));
    let height = world.bodies()[0].position.z;
    assert!((height + 0.25).abs() < 1e-4, "{height}");
}

/// A double pendulum of hinges that cross (one joint of the engine) and of hinges that do not (a body between them) move alike where the
/// second hinge is passed by the same motion.
#[test]
fn hinges_that_do_not_meet_are_tied_by_a_light_body() {
    let swing = |pos: &str| {
        let text = format!(
            r#"<option timestep="0.001"/><worldbody><body euler="0 20 0">
                 <joint axis="0 1 0"/><joint axis="1 0 0" pos="{pos}"/>
                 <geom type="sphere" size="0.1" pos="0 0 -1"/></body></worldbody>"#
        );
        let read = mjcf(&text);
        let mut world = run(&read);
        (0..500).for_each(|_| drop(world.step().unwrap()));
        let last = world.bodies().last().unwrap();
        (read, last.position)
    };
    let (one, crossing) = swing("0 0 0");
    let (chain, apart) = swing("0 0 -0.02");
    assert_eq!((one.scene.bodies.len(), one.scene.joints.len(), one.notes.len()), (1, 1, 0));
    assert_eq!((chain.scene.bodies.len(), chain.scene.joints.len()), (2, 2));
    assert!(chain.notes[0].to_string().contains("bodies between them"), "{}", chain.notes[0]);
    assert!(crossing.distance(apart) < 1e-3, "{crossing} {apart}");
}

#[test]
fn parents_and_children_pass_each_other_and_others_collide() {
    let text = |flag: &str| {
        format!(
            r#"<option gravity="0 0 0"><flag filterparent="{flag}"/></option><worldbody>
                 <body><freejoint/><geom size="0.2"/>
                   <body pos="0.1 0 0"><joint axis="0 0 1"/><geom size="0.2"/></body></body></worldbody>"#
        )
    };
    for (flag, is_touched) in [("enable", false), ("disable", true)] {
        let read = mjcf(&text(flag));
        let contacts = run(&read).step().unwrap().contacts.len();
        assert_eq!(contacts > 0, is_touched, "{flag}");
    }
}

#[test]
fn what_is_carried_stays() {
    let read = mjcf(
        r#"<worldbody><body gravcomp="1"><freejoint/><geom size="0.1"/></body>
             <body pos="1 0 0" gravcomp="0.5"><freejoint/><geom size="0.1"/></body></worldbody>"#,
    );
    let mut world = run(&read);
    (0..500).for_each(|_| drop(world.step().unwrap()));
    let [carried, falls] = world.bodies() else { panic!("two bodies") };
    assert!(carried.velocity.length() < 1e-9, "{}", carried.velocity);
    assert!((falls.velocity.z + 0.5 * 9.81).abs() < 1e-6, "{}", falls.velocity);
}
