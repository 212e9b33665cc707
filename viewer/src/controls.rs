//! Mouse, touch and keys: they turn the camera and pick.

use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::input::EguiWantsInput;
use glam::DVec2;

use crate::Viewer;
use crate::camera::{Aim, CamerasPlaced, Free, Gaze};
use crate::keys::CameraKey;
use crate::model::{self, Command, ContactKey, Selected, State};
use crate::picking::{Drawn, Hit, Mark, Tolerance, pick};
use crate::scene::bodies::pose;
use crate::scene::{ScenePrepared, Stage, stage};

/// A press and release within so many pixels is a click; more is a drag.
const CLICK: f32 = 4.0;
/// Two clicks within so many seconds are a double click.
const DOUBLE: f64 = 0.4;
/// How far beside a contact one may click, pixels.
const BESIDE: f64 = 5.0;
/// So many pixels of a touch pad are a notch of a wheel.
const NOTCH: f64 = 40.0;

/// Lets mouse, touch and keys turn the camera and pick.
pub struct ControlsPlugin;

impl Plugin for ControlsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hand>()
            .add_message::<Click>()
            .add_message::<CameraKey>()
            .add_message::<MouseWheel>()
            .init_resource::<Touches>()
            .init_resource::<ButtonInput<MouseButton>>()
            .init_resource::<ButtonInput<KeyCode>>();
        let systems = (read_mouse, read_wheel, read_touches, look, click).chain();
        app.add_systems(Update, systems.after(ScenePrepared).before(CamerasPlaced));
    }
}

/// A click into the picture; logical pixels of the window.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Click {
    /// Where.
    pub at: Vec2,
    /// Whether it is the second of two.
    pub is_double: bool,
}

/// What the hand on the mouse is doing.
#[derive(Resource, Default)]
struct Hand {
    drag: Option<Drag>,
    last: Option<(f64, Vec2)>,
}

/// A drag that began in the picture.
#[derive(Clone, Copy)]
struct Drag {
    button: MouseButton,
    is_pan: bool,
    from: Vec2,
    at: Vec2,
    has_moved: bool,
}

/// The view at a place of the window: its number and its rectangle.
fn view_at(at: Vec2, free: &Free, tracks: usize, window: Vec2) -> Option<(usize, Rect)> {
    (0..tracks).map(|track| (track, free.of(track, tracks, window))).find(|(_, view)| view.contains(at))
}

#[expect(clippy::too_many_arguments, reason = "a system's parameters are what it asks Bevy for")]
fn read_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    windows: Query<&Window, With<PrimaryWindow>>,
    panel: Option<Res<EguiWantsInput>>,
    (free, viewer, time): (Res<Free>, Res<Viewer>, Res<Time<Real>>),
    mut hand: ResMut<Hand>,
    mut gaze: ResMut<Gaze>,
    mut clicks: MessageWriter<Click>,
) {
    let Ok(window) = windows.single() else { return };
    let (Some(at), size) = (window.cursor_position(), window.size()) else { return };
    let tracks = viewer.tracks().len();
    let is_taken = panel.is_some_and(|panel| panel.wants_any_pointer_input());
    let pressed = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];
    if hand.drag.is_none()
        && !is_taken
        && let Some(button) = pressed.into_iter().find(|&button| buttons.just_pressed(button))
        && view_at(at, &free, tracks, size).is_some()
    {
        let shift = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        let is_pan = button == MouseButton::Right || shift;
        hand.drag = Some(Drag { button, is_pan, from: at, at, has_moved: false });
    }
    let Some(mut drag) = hand.drag else { return };
    drag.has_moved |= at.distance(drag.from) > CLICK;
    if drag.has_moved && at != drag.at {
        let by = DVec2::new((at.x - drag.at.x).into(), (at.y - drag.at.y).into());
        match drag.is_pan {
            true => gaze.orbit.pan(by, free.of(0, tracks, size).height().into()),
            false => gaze.orbit.turn(by),
        }
        drag.at = at;
    }
    hand.drag = Some(drag);
    if !buttons.pressed(drag.button) {
        hand.drag = None;
        if !drag.has_moved && drag.button == MouseButton::Left {
            let now = time.elapsed_secs_f64();
            let is_double = hand.last.is_some_and(|(then, place)| now - then < DOUBLE && place.distance(at) <= CLICK);
            hand.last = (!is_double).then_some((now, at));
            clicks.write(Click { at, is_double });
        }
    }
}

fn read_wheel(
    mut wheel: MessageReader<MouseWheel>,
    windows: Query<&Window, With<PrimaryWindow>>,
    panel: Option<Res<EguiWantsInput>>,
    (free, viewer): (Res<Free>, Res<Viewer>),
    mut gaze: ResMut<Gaze>,
) {
    let notches: f64 = wheel
        .read()
        .map(|turn| match turn.unit {
            MouseScrollUnit::Line => f64::from(turn.y),
            MouseScrollUnit::Pixel => f64::from(turn.y) / NOTCH,
        })
        .sum();
    let at = windows.single().ok().and_then(|window| Some((window.cursor_position()?, window.size())));
    let is_taken = panel.is_some_and(|panel| panel.wants_any_pointer_input());
    let is_over = at.is_some_and(|(at, size)| view_at(at, &free, viewer.tracks().len(), size).is_some());
    if notches != 0.0 && is_over && !is_taken {
        gaze.orbit.zoom(notches);
    }
}

/// One finger turns, two move and zoom.
fn read_touches(
    touches: Res<Touches>,
    windows: Query<&Window, With<PrimaryWindow>>,
    panel: Option<Res<EguiWantsInput>>,
    (free, viewer): (Res<Free>, Res<Viewer>),
    mut gaze: ResMut<Gaze>,
) {
    let Ok(window) = windows.single() else { return };
    let (tracks, size) = (viewer.tracks().len(), window.size());
    let fingers: Vec<_> = touches.iter().collect();
    let began = |at: Vec2| view_at(at, &free, tracks, size).is_some();
    let is_taken = panel.is_some_and(|panel| panel.wants_any_pointer_input());
    if is_taken || !fingers.iter().all(|finger| began(finger.start_position())) {
        return;
    }
    let wide = |v: Vec2| DVec2::new(v.x.into(), v.y.into());
    match fingers[..] {
        [one] => gaze.orbit.turn(wide(one.delta())),
        [one, two] => {
            gaze.orbit.pan(0.5 * wide(one.delta() + two.delta()), free.of(0, tracks, size).height().into());
            let now = one.position().distance(two.position());
            let before = one.previous_position().distance(two.previous_position());
            if now > 0.0 && before > 0.0 {
                let distance = gaze.orbit.distance * f64::from(before / now);
                gaze.orbit.set_distance(distance);
            }
        }
        _ => {}
    }
}

/// Does what the keys ask of the camera.
fn look(mut asked: MessageReader<CameraKey>, mut gaze: ResMut<Gaze>) {
    for key in asked.read() {
        match key {
            CameraKey::Front => gaze.orbit.look_from(0.0, 0.0),
            CameraKey::Back => gaze.orbit.look_from(180.0, 0.0),
            CameraKey::Right => gaze.orbit.look_from(90.0, 0.0),
            CameraKey::Left => gaze.orbit.look_from(270.0, 0.0),
            CameraKey::Top => gaze.orbit.look_from(0.0, 90.0),
            CameraKey::Bottom => gaze.orbit.look_from(0.0, -90.0),
            CameraKey::Projection => gaze.orbit.is_orthographic = !gaze.orbit.is_orthographic,
            CameraKey::Frame => gaze.aim = Some(Aim::Selected),
        }
    }
}

/// Picks what was clicked, or nothing; a double click looks at it.
fn click(
    mut clicks: MessageReader<Click>,
    (free, stage): (Res<Free>, Res<Stage>),
    cameras: Query<&Camera, With<Camera3d>>,
    mut viewer: ResMut<Viewer>,
    mut gaze: ResMut<Gaze>,
) {
    for click in clicks.read() {
        let Some(size) = cameras.iter().find_map(Camera::logical_target_size) else { continue };
        let Some((track, view)) = view_at(click.at, &free, viewer.tracks().len(), size) else { continue };
        let selected = hit(&viewer, &stage, &gaze, track, view, click.at);
        viewer.apply(Command::Select(selected));
        // What is picked is known at once to whoever looks at it.
        viewer.update(0.0);
        if click.is_double && selected != Selected::Nothing {
            gaze.aim = Some(Aim::Selected);
        }
    }
}

/// What is under a place of a view.
fn hit(state: &State, stage: &Stage, gaze: &Gaze, track: usize, view: Rect, at: Vec2) -> Selected {
    let Some(shown) = state.shown(track) else { return Selected::Nothing };
    let place = (at - view.center()) / (0.5 * view.size());
    let place = DVec2::new(place.x.into(), f64::from(-place.y));
    let ray = gaze.orbit.ray(place, f64::from(view.width() / view.height()));
    let [angle, length] = gaze.orbit.pixel(view.height().into()).map(|pixel| BESIDE * pixel);
    let (radius, arrow) = stage::sizes(&state.view, &stage.extent);
    let marks = shown.contacts.iter().flat_map(|contact| {
        contact.places.into_iter().flatten().map(|position| Mark {
            index: contact.index,
            position,
            radius: if state.view.points { radius } else { 0.0 },
            arrow: if state.view.normals { arrow * contact.normal } else { glam::DVec3::ZERO },
        })
    });
    let is_drawn = state.view.points || state.view.normals;
    let marks: Vec<Mark> = marks.filter(|_| is_drawn).collect();
    let (style, hides) = (state.view.bodies, !stage::are_marks_in_front(&state.view));
    let bodies = (0_u32..).zip(&shown.subject.bodies).filter_map(|(number, body)| {
        let id = drystone::engine::BodyId::new(number);
        let look = state.look(id);
        let is_hidden = look == model::BodyLook::Hidden || style == model::BodyStyle::Hidden;
        let is_faint = look == model::BodyLook::Ghost || stage.extent.is_ground(id.index());
        let is_solid = hides && style != model::BodyStyle::Wireframe && !is_faint;
        (!is_hidden).then_some(Drawn { id, pose: pose(shown, id)?, outline: &body.outline, is_solid })
    });
    let bodies: Vec<Drawn<'_>> = bodies.collect();
    match pick(&ray, Tolerance { angle, length }, &marks, &bodies) {
        Some(Hit::Contact(index)) => ContactKey::of(&shown.frame.contacts, index)
            .map_or(Selected::Nothing, |key| Selected::Contact { track, key }),
        Some(Hit::Body(id)) => Selected::Body(id),
        None => Selected::Nothing,
    }
}
