//! Entities without a renderer: what is shown is what is drawn.

use std::time::Duration;

use bevy::asset::AssetPlugin;
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{RenderTarget, RenderTargetInfo};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::WindowRef;
use drystone::contact::generator::{Method, methods};
use drystone::engine::BodyId;
use drystone_bevy::draw::{BodyLook, ContactAreas, ContactMarks, Highlight, Layers, Lines};
use drystone_report::inspection::colour::BLUE;
use drystone_report::inspection::{ColourBy, Request};
use drystone_viewer::Viewer;
use drystone_viewer::camera::{CameraPlugin, Gaze};
use drystone_viewer::controls::{Click, ControlsPlugin};
use drystone_viewer::keys::CameraKey;
use drystone_viewer::model::{self, BodyPair, BodyStyle, Command, Selected, State, View};
use drystone_viewer::scene::{BodyOf, OfTrack, ScenePlugin, Side, Stage};

/// An application without window and renderer. Waiting is for the run in the background; nothing else takes time.
fn app(scene: &str, method: Method, step: u64) -> App {
    let request = Request { method, ..Request::new(scene.parse().unwrap()) };
    let mut state = State::new(request, View::default(), State::DEFAULT_BUDGET);
    state.playback.go_to(step);
    assert!(state.wait(120.0), "{scene}");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
        .insert_resource(Viewer(state))
        .add_plugins((
            ScenePlugin,
            CameraPlugin {
                start: model::Camera::default(),
                target: RenderTarget::Window(WindowRef::Primary),
                msaa: Msaa::Off,
            },
            ControlsPlugin,
        ));
    app.update();
    // What the renderer would say of the target.
    let mut cameras = app.world_mut().query::<&mut Camera>();
    for mut camera in cameras.iter_mut(app.world_mut()) {
        camera.computed.target_info = Some(RenderTargetInfo { physical_size: UVec2::new(800, 600), scale_factor: 1.0 });
    }
    app.update();
    app
}

fn act(app: &mut App, command: Command) {
    app.world_mut().resource_mut::<Viewer>().apply(command);
    app.update();
}

fn all<T: Component + Clone>(app: &mut App, track: usize) -> Vec<T> {
    let mut query = app.world_mut().query::<(&T, &OfTrack)>();
    query.iter(app.world()).filter(|(_, of)| of.0 == track).map(|(one, _)| one.clone()).collect()
}

fn marks(app: &mut App) -> Vec<drystone_bevy::draw::ContactMark> {
    all::<ContactMarks>(app, 0).remove(0).0
}

fn places(app: &mut App) -> Vec<(BodyId, Vec3)> {
    let mut query = app.world_mut().query::<(&BodyOf, &Transform)>();
    let mut places: Vec<(BodyId, Vec3)> = query.iter(app.world()).map(|(of, at)| (of.0, at.translation)).collect();
    places.sort_by_key(|(id, _)| *id);
    places
}

fn look(app: &mut App, body: BodyId) -> BodyLook {
    let mut query = app.world_mut().query::<(&BodyOf, &BodyLook)>();
    query.iter(app.world()).find(|(of, _)| of.0 == body).map(|(_, look)| *look).unwrap()
}

#[test]
fn every_body_and_contact_is_drawn_once() {
    let mut app = app("pillar", methods::growth_distance(), 3);
    let (bodies, contacts) = {
        let viewer = app.world().resource::<Viewer>();
        let shown = viewer.shown(0).unwrap();
        (shown.subject.bodies.len(), shown.frame.contacts.len())
    };
    assert_eq!(places(&mut app).len(), bodies);
    assert_eq!(marks(&mut app).len(), contacts);
    assert!(all::<Lines>(&mut app, 0)[0].segments.is_empty(), "not apart: no lines");
    act(&mut app, Command::Explode(0.5));
    assert_eq!(marks(&mut app).len(), 2 * contacts, "apart: once with each body");
    let lines = all::<Lines>(&mut app, 0).remove(0);
    assert!(lines.is_dashed && lines.segments.len() == contacts);
}

#[test]
fn colours_are_those_of_the_view() {
    let mut app = app("cliff-edges", methods::most_opposing(), 3);
    act(&mut app, Command::Colour(ColourBy::Plain));
    let blue = Color::srgb_u8(BLUE[0], BLUE[1], BLUE[2]);
    assert!(marks(&mut app).iter().all(|mark| mark.colour == blue));
    act(&mut app, Command::Colour(ColourBy::Quality));
    assert!(marks(&mut app).iter().any(|mark| mark.colour != blue));
}

#[test]
fn bodies_moved_apart_are_farther_from_each_other_and_come_back() {
    let mut app = app("box-stack", methods::semi_local(), 1);
    let spread = |places: &[(BodyId, Vec3)]| (places[0].1 - places.last().unwrap().1).length();
    let before = places(&mut app);
    act(&mut app, Command::Explode(1.0));
    let apart = spread(&places(&mut app));
    assert!((apart / spread(&before) - 2.0).abs() < 0.1, "{apart}");
    act(&mut app, Command::Explode(-1.0));
    assert_eq!(places(&mut app), before);
}

#[test]
fn bodies_are_hidden_faint_and_picked() {
    let mut app = app("arch", methods::semi_local(), 1);
    let body = BodyId::new(3);
    assert!(!look(&mut app, body).is_hidden && look(&mut app, body).alpha == 1.0);
    let usual = look(&mut app, body).colour;
    act(&mut app, Command::Select(Selected::Body(body)));
    assert_ne!(look(&mut app, body).colour, usual);
    act(&mut app, Command::GhostSelected);
    assert!(look(&mut app, body).alpha < 0.5);
    act(&mut app, Command::HideSelected);
    assert!(look(&mut app, body).is_hidden);
    act(&mut app, Command::ShowAll);
    assert!(!look(&mut app, body).is_hidden && look(&mut app, body).alpha == 1.0);
    assert!(!look(&mut app, BodyId::new(2)).is_hidden);
}

#[test]
fn only_the_contacts_of_the_pair_in_focus_are_drawn() {
    let mut app = app("wall", methods::semi_local(), 1);
    let (pair, count) = {
        let shown = app.world().resource::<Viewer>().shown(0).unwrap().clone();
        let pair = BodyPair::of(&shown.frame.contacts[0]);
        (pair, shown.frame.contacts.iter().filter(|c| BodyPair::of(c) == pair).count())
    };
    let (all_marks, all_areas) = (marks(&mut app).len(), all::<ContactAreas>(&mut app, 0)[0].0.len());
    act(&mut app, Command::Focus(Some(pair)));
    assert_eq!(marks(&mut app).len(), count);
    let areas = all::<ContactAreas>(&mut app, 0)[0].0.len();
    assert!(count < all_marks && areas >= 1 && areas < all_areas);
}

#[test]
fn a_comparison_has_two_sets_on_layers_of_their_own() {
    let mut app = app("cliff-edges", methods::most_opposing(), 2);
    act(&mut app, Command::Compare(Some(methods::semi_local())));
    assert!(app.world_mut().resource_mut::<Viewer>().wait(120.0));
    app.update();
    app.update();
    let layers = |app: &mut App, track| all::<RenderLayers>(app, track);
    let (first, second) = (layers(&mut app, 0), layers(&mut app, 1));
    assert_eq!(first.len(), second.len());
    assert!(first.iter().all(|p| second.iter().all(|q| !p.intersects(q))));
    assert_eq!(all::<BodyOf>(&mut app, 1).len(), all::<BodyOf>(&mut app, 0).len());
    let cameras: Vec<(bool, Option<Vec2>)> = {
        let mut query = app.world_mut().query::<&Camera>();
        query.iter(app.world()).map(|camera| (camera.is_active, camera.logical_viewport_size())).collect()
    };
    assert!(cameras.iter().all(|(is_active, _)| *is_active), "{cameras:?}");
    assert!(cameras.iter().all(|(_, size)| *size == Some(Vec2::new(400.0, 600.0))), "side by side: {cameras:?}");
    let turn = |app: &mut App, track| {
        let mut query = app.world_mut().query_filtered::<(&Transform, &OfTrack), With<Camera>>();
        query.iter(app.world()).find(|(_, of)| of.0 == track).map(|(at, _)| *at).unwrap()
    };
    app.world_mut().write_message(CameraKey::Left);
    app.update();
    assert_eq!(turn(&mut app, 0), turn(&mut app, 1), "on one orbit");
    act(&mut app, Command::Compare(None));
    app.update();
    assert!(all::<BodyOf>(&mut app, 1).is_empty());
}

#[test]
fn the_features_of_the_picked_contact_stand_out() {
    let mut app = app("cliff-edges", methods::semi_local(), 2);
    let empty = |app: &mut App| all::<Highlight>(app, 0).iter().all(|h| *h == Highlight::default());
    assert!(empty(&mut app));
    act(&mut app, Command::NextContact { back: false });
    assert_eq!(all::<Side>(&mut app, 0).len(), 2);
    let highlights = all::<Highlight>(&mut app, 0);
    assert!(highlights.iter().all(|h| !(h.points.is_empty() && h.segments.is_empty() && h.triangles.is_empty())));
    assert_eq!(marks(&mut app).iter().filter(|mark| mark.is_emphasised).count(), 1);
    act(&mut app, Command::Escape);
    assert!(empty(&mut app));
}

/// Where a point of the world is seen, logical pixels.
fn seen(app: &App, point: glam::DVec3) -> Vec2 {
    let orbit = &app.world().resource::<Gaze>().orbit;
    let p = orbit.rotation().inverse() * (point - orbit.eye());
    let up = (0.5 * drystone_viewer::orbit::FIELD_OF_VIEW).tan() * -p.z;
    Vec2::new(400.0 + 300.0 * (p.x / up) as f32, 300.0 - 300.0 * (p.y / up) as f32)
}

fn click(app: &mut App, at: Vec2, is_double: bool) {
    app.world_mut().write_message(Click { at, is_double });
    app.update();
    app.update();
}

#[test]
fn a_click_picks_what_is_there() {
    let mut app = app("cliff-edges", methods::most_opposing(), 2);
    act(&mut app, Command::Bodies(BodyStyle::Wireframe));
    let (index, place) = {
        let shown = app.world().resource::<Viewer>().shown(0).unwrap();
        (shown.contacts[0].index, shown.contacts[0].places[0].unwrap())
    };
    let at = seen(&app, place);
    click(&mut app, at, false);
    let picked = app.world().resource::<Viewer>().shown(0).unwrap().selected.clone();
    // Contacts at one place cannot be told apart by a click.
    let same = |k: usize| {
        let shown = app.world().resource::<Viewer>().shown(0).unwrap();
        (shown.frame.contacts[k].contact.position - place).length() < 0.2
    };
    assert!(picked.len() == 1 && (picked[0] == index || same(picked[0])), "{picked:?} {index}");
    click(&mut app, Vec2::new(2.0, 2.0), false);
    assert_eq!(app.world().resource::<Viewer>().selected, Selected::Nothing);
    let before = app.world().resource::<Gaze>().orbit.distance;
    click(&mut app, at, true);
    assert!(app.world().resource::<Gaze>().orbit.distance < before, "a double click goes near");
}

#[test]
fn solid_bodies_are_picked_before_what_they_hide() {
    let mut app = app("box-stack", methods::semi_local(), 1);
    assert!(app.world().resource::<Layers>().marks_in_front, "as long as bodies touch");
    act(&mut app, Command::Bodies(BodyStyle::Solid));
    act(&mut app, Command::Explode(0.5));
    assert!(!app.world().resource::<Layers>().marks_in_front);
    app.world_mut().write_message(CameraKey::Frame);
    app.update();
    let (id, middle) = {
        let shown = app.world().resource::<Viewer>().shown(0).unwrap();
        let last = shown.frame.poses.len() - 1;
        (BodyId::new(last as u32), shown.frame.poses[last].translation + shown.shifts[last])
    };
    let at = seen(&app, middle);
    click(&mut app, at, false);
    assert_eq!(app.world().resource::<Viewer>().selected, Selected::Body(id));
    act(&mut app, Command::HideSelected);
    click(&mut app, at, false);
    assert_ne!(app.world().resource::<Viewer>().selected, Selected::Body(id), "what is hidden is not hit");
}

#[test]
fn keys_turn_the_camera_and_another_scene_is_looked_at_anew() {
    let mut app = app("cliff-edges", methods::semi_local(), 0);
    let orbit = |app: &App| app.world().resource::<Gaze>().orbit;
    let key = |app: &mut App, key| {
        app.world_mut().write_message(key);
        app.update();
    };
    let first = orbit(&app);
    key(&mut app, CameraKey::Top);
    assert!(orbit(&app).pitch > 89.0);
    key(&mut app, CameraKey::Right);
    assert_eq!((orbit(&app).yaw, orbit(&app).pitch), (90.0, 0.0));
    key(&mut app, CameraKey::Projection);
    assert!(orbit(&app).is_orthographic);
    let request = Request::new("wall".parse().unwrap());
    act(&mut app, Command::Open(Box::new(request)));
    assert!(app.world_mut().resource_mut::<Viewer>().wait(120.0));
    app.update();
    app.update();
    assert_eq!((orbit(&app).yaw, orbit(&app).pitch), (first.yaw, first.pitch));
    assert_ne!(orbit(&app).distance, first.distance);
    let scene = app.world().resource::<Viewer>().shown(0).unwrap().subject.bodies.len();
    assert_eq!(places(&mut app).len(), scene, "nothing is left of the scene before");
    assert!(app.world().resource::<Stage>().extent.scale > 0.0);
}
