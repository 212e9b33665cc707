//! The examples of the guide, run to their ends: each is an error if what it shows does not happen.

#[path = "../examples/gripper.rs"]
mod gripper;
#[path = "../examples/moving_platform.rs"]
mod moving_platform;
#[path = "../examples/newtons_cradle.rs"]
mod newtons_cradle;
#[path = "../examples/ragdoll.rs"]
mod ragdoll;
#[path = "../examples/sorting_plant.rs"]
mod sorting_plant;
#[path = "../examples/vehicle.rs"]
mod vehicle;
#[path = "../examples/week.rs"]
mod week;

#[test]
fn a_gripper_lifts_a_stone_out_of_a_wall() {
    gripper::main().unwrap();
}

#[test]
fn a_character_rides_a_moving_platform() {
    moving_platform::main().unwrap();
}

#[test]
fn a_cradle_swings() {
    newtons_cradle::main().unwrap();
}

#[test]
fn a_ragdoll_falls_down_stairs() {
    ragdoll::main().unwrap();
}

#[test]
fn a_plant_sorts_parcels() {
    sorting_plant::main().unwrap();
}

#[test]
fn a_vehicle_drives_over_hills() {
    vehicle::main().unwrap();
}

#[test]
fn an_hour_of_a_week_loses_nothing() {
    week::run(1).unwrap();
}
