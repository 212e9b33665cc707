//! The cameras: one a track, side by side, all on the same orbit.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{RenderTarget, ScalingMode, Viewport};
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::prelude::*;
use glam::{DVec2, DVec3};

use crate::Viewer;
use crate::model::{self, Selected, Shown};
use crate::orbit::{FIELD_OF_VIEW, Orbit};
use crate::overlay::Overlay;
use crate::scene::bodies::pose;
use crate::scene::extent::{corners, seen};
use crate::scene::set::layers;
use crate::scene::space::place;
use crate::scene::{OfTrack, ScenePrepared, Stage};

/// Behind everything.
pub const BACKGROUND: Color = Color::srgb(0.965, 0.968, 0.975);
/// What is shown around a picked contact, by the size of a usual body.
const AROUND_CONTACT: f64 = 0.6;
/// Light from everywhere, cd/m², and from above the camera's left shoulder, lx.
const AMBIENT: f32 = 520.0;
const LIGHT: f32 = 3000.0;
/// From where the light comes, in the axes of the camera.
const LIGHT_FROM: Vec3 = Vec3::new(-0.55, 0.85, 0.8);

/// What the camera is to look at all of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// All bodies but ground.
    All,
    /// What is picked; all bodies if nothing is.
    Selected,
}

/// From where one looks.
#[derive(Resource, Debug)]
pub struct Gaze {
    /// The orbit of all cameras.
    pub orbit: Orbit,
    /// What is to be looked at as soon as it is there.
    pub aim: Option<Aim>,
    /// How every scene is looked at first.
    start: model::Camera,
    /// The scene that was looked at last, by the count of scenes opened.
    opened: Option<u64>,
}

impl Gaze {
    /// Every scene is looked at like this first.
    pub fn new(start: model::Camera) -> Self {
        let mut orbit = Orbit::default();
        orbit.look_from(start.yaw, start.pitch);
        Self { orbit, aim: None, start, opened: None }
    }

    /// As at the opening of the scene.
    pub fn reset(&mut self) {
        self.opened = None;
    }
}

/// The parts of the target that are free for the tracks, in order; logical pixels from its upper left corner. Empty: all of
/// it, in equal parts side by side.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Free(pub Vec<Rect>);

impl Free {
    /// The part of one of `tracks` tracks in a target of that size.
    pub fn of(&self, track: usize, tracks: usize, target: Vec2) -> Rect {
        let width = target.x / tracks.max(1) as f32;
        let part = Rect::new(width * track as f32, 0.0, width * (track + 1) as f32, target.y);
        self.0.get(track).copied().unwrap_or(part)
    }
}

/// Cameras of the tracks, on one orbit.
pub struct CameraPlugin {
    /// How every scene is looked at first.
    pub start: model::Camera,
    /// Into what is drawn.
    pub target: RenderTarget,
    /// Whether edges are smoothed.
    pub msaa: Msaa,
}

/// When cameras go where they belong, in `Update`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CamerasPlaced;

impl Plugin for CameraPlugin {
    fn build(&self, app: &mut App) {
        let (target, msaa) = (self.target.clone(), self.msaa);
        app.insert_resource(Gaze::new(self.start))
            .init_resource::<Free>()
            .insert_resource(ClearColor(BACKGROUND))
            .insert_resource(GlobalAmbientLight { brightness: AMBIENT, ..default() })
            .add_systems(Startup, move |mut commands: Commands| spawn(&mut commands, &target, msaa))
            .add_systems(Update, (aim, place_cameras).chain().in_set(CamerasPlaced).after(ScenePrepared));
    }
}

/// As many cameras as there can be tracks.
const TRACKS: usize = 2;

fn spawn(commands: &mut Commands, target: &RenderTarget, msaa: Msaa) {
    for track in 0..TRACKS {
        let camera = (
            OfTrack(track),
            layers(track),
            Camera3d::default(),
            Camera { order: track as isize, is_active: track == 0, ..default() },
            target.clone(),
            msaa,
            // The tables of other tone mappings are left out of the program; and colours mean something here.
            Tonemapping::None,
            // Even faces stay even; pictures are smaller for it.
            DebandDither::Disabled,
        );
        commands.spawn(camera);
    }
    let light = DirectionalLight { illuminance: LIGHT, ..default() };
    let all = RenderLayers::from_layers(&(0..=TRACKS).collect::<Vec<_>>());
    commands.spawn((light, Transform::default(), all, Shoulder));
}

/// The light, which goes with the camera.
#[derive(Component)]
struct Shoulder;

/// Looks at what is to be looked at, if it is there.
fn aim(
    viewer: Res<Viewer>,
    stage: Res<Stage>,
    mut gaze: ResMut<Gaze>,
    (free, overlay): (Res<Free>, Option<Res<Overlay>>),
    cameras: Query<(&Camera, &OfTrack)>,
) {
    // Where something stands over the picture, it says first what it leaves free.
    let is_free = overlay.is_none() || free.0.len() == viewer.tracks().len();
    if !stage.is_set(&viewer) || !is_free {
        return;
    }
    let target = cameras.iter().find(|(_, track)| track.0 == 0).and_then(|(camera, _)| camera.logical_target_size());
    let is_new = gaze.opened != Some(viewer.opened());
    let Some(target) = target.filter(|_| is_new || gaze.aim.is_some()) else { return };
    let size = free.of(0, viewer.tracks().len(), target).size();
    let aspect = f64::from(size.x / size.y.max(1.0));
    let Gaze { start, .. } = *gaze;
    if is_new {
        gaze.opened = Some(viewer.opened());
        gaze.orbit.look_from(start.yaw, start.pitch);
    }
    let wanted = gaze.aim.take().filter(|_| !is_new).unwrap_or(Aim::All);
    let picked = if wanted == Aim::Selected { around_selected(&viewer, &stage) } else { Vec::new() };
    let points = if picked.is_empty() { around_all(&viewer, &stage) } else { picked };
    gaze.orbit.frame(points, aspect);
    if is_new {
        let distance = gaze.orbit.distance / start.zoom;
        gaze.orbit.set_distance(distance);
    }
}

fn all_shown(viewer: &Viewer) -> impl Iterator<Item = &Shown> {
    (0..viewer.tracks().len()).filter_map(|track| viewer.shown(track))
}

fn of_body(shown: &Shown, body: drystone::engine::BodyId) -> impl Iterator<Item = DVec3> {
    let drawn = shown.subject.body(body).zip(pose(shown, body));
    drawn.into_iter().flat_map(|(body, pose)| corners(body, pose))
}

/// Of all bodies but ground and those that are hidden, and of deformable surfaces.
fn around_all(viewer: &Viewer, stage: &Stage) -> Vec<DVec3> {
    let bodies = |shown: &Shown| 0..shown.subject.bodies.len() as u32;
    let all = |keep: &dyn Fn(drystone::engine::BodyId) -> bool| -> Vec<DVec3> {
        let of = |shown: &Shown| -> Vec<DVec3> {
            let kept = bodies(shown).map(drystone::engine::BodyId::new).filter(|&id| keep(id));
            kept.flat_map(|id| of_body(shown, id)).collect()
        };
        all_shown(viewer).flat_map(of).collect()
    };
    let wanted = all(&|id| !stage.extent.is_ground(id.index()) && viewer.look(id) != model::BodyLook::Hidden);
    let bodies = if wanted.is_empty() { all(&|_| true) } else { wanted };
    let surfaces = all_shown(viewer).flat_map(|shown| seen(&shown.subject, &shown.frame.surfaces).flatten().copied());
    bodies.into_iter().chain(surfaces).collect()
}

fn around_selected(viewer: &Viewer, stage: &Stage) -> Vec<DVec3> {
    match viewer.selected {
        Selected::Body(body) => all_shown(viewer).flat_map(|shown| of_body(shown, body)).collect(),
        Selected::Contact { .. } | Selected::Qualities { .. } => {
            let picked = all_shown(viewer).flat_map(|shown| shown.contacts.iter().filter(|c| c.is_selected));
            let around = AROUND_CONTACT * stage.extent.scale;
            let boxed = |p: DVec3| [p - around, p + around];
            picked.flat_map(|c| c.places.into_iter().flatten().flat_map(boxed)).collect()
        }
        Selected::Nothing => Vec::new(),
    }
}

/// Puts the cameras onto the orbit and into their parts of the target.
fn place_cameras(
    viewer: Res<Viewer>,
    stage: Res<Stage>,
    gaze: Res<Gaze>,
    free: Res<Free>,
    mut cameras: Query<(&OfTrack, &mut Camera, &mut Transform, &mut Projection), Without<Shoulder>>,
    mut light: Query<&mut Transform, With<Shoulder>>,
) {
    let (orbit, tracks) = (&gaze.orbit, viewer.tracks().len());
    let [x, y, z, w] = orbit.rotation().to_array().map(|c| c as f32);
    let turn = Quat::from_xyzw(x, y, z, w);
    for (track, mut camera, mut at, mut projection) in &mut cameras {
        at.set_if_neq(Transform::from_translation(place(orbit.eye(), stage.extent.middle)).with_rotation(turn));
        let is_active = track.0 < tracks;
        if camera.is_active != is_active {
            camera.is_active = is_active;
        }
        *projection = self::projection(orbit, stage.extent.scale);
        let Some((logical, physical)) = camera.logical_target_size().zip(camera.physical_target_size()) else {
            continue;
        };
        let part = free.of(track.0, tracks, logical);
        let by =
            DVec2::new(f64::from(physical.x), f64::from(physical.y)) / DVec2::new(logical.x.into(), logical.y.into());
        let viewport = viewport(part, by, physical);
        let is_same = camera.viewport.as_ref().map(|v| (v.physical_position, v.physical_size))
            == viewport.as_ref().map(|v| (v.physical_position, v.physical_size));
        if !is_same {
            camera.viewport = viewport;
        }
    }
    for mut at in &mut light {
        at.set_if_neq(Transform::default().looking_to(turn * -LIGHT_FROM, turn * Vec3::Y));
    }
}

fn projection(orbit: &Orbit, scale: f64) -> Projection {
    if orbit.is_orthographic {
        let mut flat = OrthographicProjection::default_3d();
        flat.scaling_mode = ScalingMode::FixedVertical { viewport_height: orbit.height() as f32 };
        (flat.near, flat.far) = (-orbit.reach() as f32, orbit.reach() as f32);
        return Projection::Orthographic(flat);
    }
    let near = (0.01 * orbit.distance).min(0.1 * scale) as f32;
    let far = (orbit.distance + orbit.reach()) as f32;
    Projection::Perspective(PerspectiveProjection { fov: FIELD_OF_VIEW as f32, near, far, ..default() })
}

/// A part of the target in physical pixels; all of it if the part is none.
fn viewport(part: Rect, by: DVec2, target: UVec2) -> Option<Viewport> {
    let pixels = |at: Vec2| {
        let at = DVec2::new(at.x.into(), at.y.into()) * by;
        UVec2::new(at.x.round().max(0.0) as u32, at.y.round().max(0.0) as u32).min(target)
    };
    let (low, high) = (pixels(part.min), pixels(part.max));
    let size = high.saturating_sub(low);
    let is_part = size.x > 0 && size.y > 0 && size != target;
    is_part.then(|| Viewport { physical_position: low, physical_size: size, ..default() })
}
