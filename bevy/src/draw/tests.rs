//! What is drawn, by the assets that it is made of.

use super::*;
use bevy::asset::AssetPlugin;
use bevy::camera::visibility::{RenderLayers, VisibilityPlugin};
use bevy::gizmos::GizmoPlugin;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::mesh::{MeshPlugin, VertexAttributeValues};
use drystone_contact::shape::{Ball, Shape};
use drystone_engine::Solid;
use glam::DVec3;
use std::sync::Arc;

/// An application that draws, without a renderer.
fn app(layers: Layers) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        TransformPlugin,
        VisibilityPlugin,
        MeshPlugin,
        GizmoPlugin,
    ));
    app.init_asset::<StandardMaterial>().add_plugins(DrawPlugin { layers });
    app
}

fn cube() -> DrawnBody {
    DrawnBody::new(Arc::clone(&Solid::cuboid(DVec3::ONE, 1.0).unwrap().shape))
}

fn mark(position: Vec3) -> ContactMark {
    ContactMark { position, normal: Vec3::Y, colour: Color::srgb(0.0, 0.0, 1.0), is_emphasised: false, id: 0 }
}

/// The child that draws a part of an owner.
fn part(app: &App, owner: Entity, wanted: Part) -> Option<Entity> {
    let children = app.world().get::<Children>(owner)?;
    let mut found = children.iter().filter(|&child| app.world().get::<Part>(child) == Some(&wanted));
    let first = found.next();
    assert!(found.next().is_none(), "a part is drawn once");
    first
}

fn mesh(app: &App, owner: Entity, wanted: Part) -> Option<&Mesh> {
    let handle = app.world().get::<Mesh3d>(part(app, owner, wanted)?)?;
    app.world().resource::<Assets<Mesh>>().get(&handle.0)
}

/// The ends and colours of the lines that Bevy is told to draw now.
fn drawn_lines(app: &App, owner: Entity, wanted: Part) -> Vec<(Vec3, LinearRgba)> {
    let Some(part) = part(app, owner, wanted) else { return Vec::new() };
    let handle = &app.world().get::<Gizmo>(part).unwrap().handle;
    let Some(asset) = app.world().resource::<Assets<GizmoAsset>>().get(handle) else { return Vec::new() };
    asset.list_positions.iter().copied().zip(asset.list_colors.iter().copied()).collect()
}

fn colours(mesh: &Mesh) -> Vec<[f32; 4]> {
    match mesh.attribute(Mesh::ATTRIBUTE_COLOR) {
        Some(VertexAttributeValues::Float32x4(colours)) => colours.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cube_is_twelve_flat_triangles_with_twelve_edges() {
    let mut app = app(Layers::default());
    let body = app.world_mut().spawn(cube()).id();
    app.update();
    let surface = mesh(&app, body, Part::Surface).unwrap();
    assert_eq!((surface.count_vertices(), surface.indices().unwrap().len()), (36, 36));
    let Some(VertexAttributeValues::Float32x3(normals)) = surface.attribute(Mesh::ATTRIBUTE_NORMAL) else { panic!() };
    let Some(VertexAttributeValues::Float32x3(corners)) = surface.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!() };
    for (corner, normal) in corners.iter().zip(normals) {
        assert!((Vec3::from(*corner).dot(Vec3::from(*normal)) - 0.5).abs() < 1e-6, "outward, of its face");
    }
    assert_eq!(drawn_lines(&app, body, Part::Edges).len(), 24);
}

#[test]
fn a_ball_is_drawn_by_the_triangles_that_stand_in_for_it() {
    let mut app = app(Layers::default());
    let ball = Shape::from(Ball::new(0.5).unwrap());
    let count = ball.triangles().triangles.len();
    let body = DrawnBody::new(Arc::new(ball));
    let owner = app.world_mut().spawn(body.clone()).id();
    let look = BodyLook { style: Some(BodyStyle::Wireframe), ..BodyLook::default() };
    let wireframe = app.world_mut().spawn((body, look)).id();
    app.update();
    let surface = mesh(&app, owner, Part::Surface).unwrap();
    assert!(count > 12 && surface.indices().unwrap().len() == 3 * count);
    let Some(VertexAttributeValues::Float32x3(normals)) = surface.attribute(Mesh::ATTRIBUTE_NORMAL) else { panic!() };
    let Some(VertexAttributeValues::Float32x3(corners)) = surface.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!() };
    for (corner, normal) in corners.iter().map(|&p| Vec3::from(p)).zip(normals) {
        assert!((corner.length() - 0.5).abs() < 1e-6 && corner.dot(Vec3::from(*normal)) > 0.4, "outward");
    }
    assert!(drawn_lines(&app, owner, Part::Edges).is_empty(), "nothing of it is sharp");
    assert_eq!(drawn_lines(&app, wireframe, Part::Edges).len(), 3 * count, "an edge between any two triangles, once");
}

#[test]
fn bodies_of_one_shape_share_what_is_made_of_it() {
    let mut app = app(Layers::default());
    let body = cube();
    let owners = [app.world_mut().spawn(body.clone()).id(), app.world_mut().spawn(body).id()];
    let other = app.world_mut().spawn(cube()).id();
    app.update();
    let mesh_of = |owner| app.world().get::<Mesh3d>(part(&app, owner, Part::Surface).unwrap()).unwrap().0.id();
    let lines_of = |owner| app.world().get::<LineSet>(part(&app, owner, Part::Edges).unwrap()).unwrap().0.id();
    assert_eq!(mesh_of(owners[0]), mesh_of(owners[1]));
    assert_eq!(lines_of(owners[0]), lines_of(owners[1]));
    assert_ne!(mesh_of(owners[0]), mesh_of(other));
    assert_eq!(app.world().resource::<Assets<StandardMaterial>>().len(), 1, "one colour, one material");
    for owner in owners.into_iter().chain([other]) {
        app.world_mut().despawn(owner);
    }
    app.update();
    app.update();
    assert_eq!(app.world().resource::<Assets<Mesh>>().len(), 0, "nothing is kept for nobody");
    assert_eq!(app.world().resource::<Assets<GizmoAsset>>().len(), 0);
}

#[test]
fn styles_come_from_the_layers_or_from_the_body() {
    let mut app = app(Layers::paper());
    let own = BodyLook { style: Some(BodyStyle::Solid), colour: Some(Color::BLACK), alpha: 0.25, is_hidden: false };
    let plain = app.world_mut().spawn(cube()).id();
    let ghost = app.world_mut().spawn((cube(), own)).id();
    app.update();
    let red = drawn_lines(&app, plain, Part::Edges);
    assert_eq!(red.len(), 36, "all edges of the triangulation");
    assert!(red.iter().all(|(_, colour)| *colour == LinearRgba::RED));
    assert!(part(&app, plain, Part::Surface).is_none());
    let surface = part(&app, ghost, Part::Surface).unwrap();
    let material = app.world().get::<MeshMaterial3d<StandardMaterial>>(surface).unwrap();
    let material = app.world().resource::<Assets<StandardMaterial>>().get(&material.0).unwrap().clone();
    assert_eq!((material.base_color.alpha(), material.alpha_mode), (0.25, AlphaMode::Blend));
    assert!(part(&app, ghost, Part::Edges).is_none());

    app.world_mut().resource_mut::<Layers>().bodies = BodyStyle::SolidEdges;
    app.world_mut().get_mut::<BodyLook>(ghost).unwrap().is_hidden = true;
    app.update();
    assert!(mesh(&app, plain, Part::Surface).is_some());
    assert_eq!(drawn_lines(&app, plain, Part::Edges).len(), 24);
    assert!(part(&app, ghost, Part::Surface).is_none() && part(&app, ghost, Part::Edges).is_none());

    app.world_mut().entity_mut(ghost).remove::<BodyLook>();
    app.world_mut().entity_mut(plain).remove::<DrawnBody>();
    app.update();
    assert!(mesh(&app, ghost, Part::Surface).is_some());
    assert!(part(&app, plain, Part::Surface).is_none() && part(&app, plain, Part::Edges).is_none());
}

#[test]
fn another_shape_in_the_same_body_is_drawn() {
    let mut app = app(Layers::default());
    let body = app.world_mut().spawn(cube()).id();
    app.update();
    let flat = Solid::cuboid(DVec3::new(2.0, 0.5, 2.0), 1.0).unwrap();
    app.world_mut().get_mut::<DrawnBody>(body).unwrap().shape = flat.shape;
    app.update();
    let Some(VertexAttributeValues::Float32x3(corners)) =
        mesh(&app, body, Part::Surface).unwrap().attribute(Mesh::ATTRIBUTE_POSITION)
    else {
        panic!()
    };
    let extents = corners.iter().fold(Vec3::ZERO, |sides, &p| sides.max(2.0 * Vec3::from(p).abs())).to_array();
    let mut extents = extents.to_vec();
    extents.sort_by(f32::total_cmp);
    assert_eq!(extents, [0.5, 2.0, 2.0]);
}

#[test]
fn marks_are_one_mesh_and_one_list_of_lines() {
    let mut app = app(Layers::default());
    let marks = ContactMarks(vec![mark(Vec3::ZERO), mark(Vec3::X)]);
    let owner = app.world_mut().spawn(marks).id();
    app.update();
    let points = mesh(&app, owner, Part::Points).unwrap();
    assert_eq!(points.indices().unwrap().len(), 2 * 80 * 3);
    assert!(colours(points).iter().all(|c| *c == [0.0, 0.0, 1.0, 1.0]));
    let layers = Layers::default();
    let lines = drawn_lines(&app, owner, Part::Normals);
    assert_eq!(lines.len(), 2 * 5 * 2, "a shaft and four barbs each");
    assert_eq!((lines[0].0, lines[1].0), (Vec3::ZERO, Vec3::Y * layers.normal_length));

    app.world_mut().resource_mut::<Layers>().points = false;
    app.update();
    assert!(part(&app, owner, Part::Points).is_none() && part(&app, owner, Part::Normals).is_some());
    app.world_mut().resource_mut::<Layers>().normals = false;
    app.update();
    assert!(part(&app, owner, Part::Normals).is_none());
    *app.world_mut().resource_mut::<Layers>() = Layers { fine_points: 1, ..Layers::default() };
    app.update();
    assert_eq!(mesh(&app, owner, Part::Points).unwrap().indices().unwrap().len(), 2 * 20 * 3, "coarse when many");
    app.world_mut().get_mut::<ContactMarks>(owner).unwrap().0.clear();
    app.update();
    assert!(part(&app, owner, Part::Points).is_none() && part(&app, owner, Part::Normals).is_none());
}

#[test]
fn marks_are_in_front_of_bodies_if_that_is_wished() {
    for is_in_front in [true, false] {
        let mut app = app(Layers { marks_in_front: is_in_front, ..Layers::default() });
        let owner = app.world_mut().spawn(ContactMarks(vec![mark(Vec3::ZERO)])).id();
        app.update();
        let [points, normals] = [Part::Points, Part::Normals].map(|wanted| part(&app, owner, wanted).unwrap());
        let material = &app.world().get::<MeshMaterial3d<StandardMaterial>>(points).unwrap().0;
        let material = app.world().resource::<Assets<StandardMaterial>>().get(material).unwrap();
        assert_eq!(material.depth_bias > 0.0, is_in_front);
        assert_eq!(app.world().get::<Gizmo>(normals).unwrap().depth_bias < 0.0, is_in_front);
    }
}

#[test]
fn emphasised_marks_are_larger_outlined_and_of_another_colour() {
    let layers = Layers::default();
    let mut app = app(layers.clone());
    let picked = ContactMark { is_emphasised: true, ..mark(Vec3::ZERO) };
    let owner = app.world_mut().spawn(ContactMarks(vec![picked])).id();
    app.update();
    let points = mesh(&app, owner, Part::Points).unwrap();
    let Some(VertexAttributeValues::Float32x3(corners)) = points.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!() };
    let colour_at = |radius: f32| {
        let near = |p: &[f32; 3]| (Vec3::from(*p).length() - radius).abs() < 1e-6;
        let own = corners.iter().zip(colours(points)).filter(|(p, _)| near(p)).map(|(_, c)| c);
        let own: Vec<_> = own.collect();
        assert_eq!(own.len(), 42);
        own[0]
    };
    let radius = layers.point_radius * layers.emphasis_scale;
    assert_eq!(colour_at(radius), layers.emphasis_colour.to_linear().to_f32_array());
    assert_eq!(colour_at(radius * (1.0 + layers.halo_share)), layers.edge_colour.to_linear().to_f32_array());
    let lines = drawn_lines(&app, owner, Part::Normals);
    assert!((lines[1].0.length() - layers.normal_length * layers.emphasis_scale).abs() < 1e-6);
}

#[test]
fn what_is_not_finite_is_left_out() {
    let mut app = app(Layers::default());
    let nowhere = [mark(Vec3::NAN), mark(Vec3::INFINITY)];
    let without_normal = [Vec3::NAN, Vec3::ZERO].map(|normal| ContactMark { normal, ..mark(Vec3::ONE) });
    let nan = [Vec3::NAN; 3];
    let area = ContactArea { outlines: vec![nan.to_vec(), vec![]], normal: Vec3::NAN, colour: Color::WHITE };
    let owner = app.world_mut().spawn((
        ContactMarks(nowhere.into_iter().chain(without_normal).collect()),
        ContactAreas(vec![area]),
        Lines::new(vec![([Vec3::NAN, Vec3::ONE], Color::WHITE)]),
        Highlight {
            triangles: vec![nan],
            segments: vec![[Vec3::NAN; 2]],
            points: vec![Vec3::NAN],
            colour: Color::WHITE,
        },
    ));
    let owner = owner.id();
    app.update();
    assert_eq!(mesh(&app, owner, Part::Points).unwrap().indices().unwrap().len(), 2 * 80 * 3, "points need no normal");
    for absent in
        [Part::Normals, Part::Areas, Part::AreaBorders, Part::Lines, Part::HighlightFaces, Part::HighlightLines]
    {
        assert!(part(&app, owner, absent).is_none(), "{absent:?}");
    }
}

#[test]
fn areas_are_filled_on_both_sides_and_have_borders() {
    let layers = Layers::default();
    let mut app = app(layers.clone());
    let square = vec![Vec3::ZERO, Vec3::Z, Vec3::new(1.0, 0.0, 1.0), Vec3::X];
    let colour = Color::srgba(0.0, 1.0, 0.0, 0.5);
    let area = ContactArea { outlines: vec![square], normal: Vec3::Y, colour };
    let owner = app.world_mut().spawn(ContactAreas(vec![area])).id();
    app.update();
    let inside = mesh(&app, owner, Part::Areas).unwrap();
    assert_eq!(inside.count_vertices(), 2 * 2 * 3);
    assert!(colours(inside).iter().all(|c| *c == [0.0, 1.0, 0.0, 0.5]));
    let Some(VertexAttributeValues::Float32x3(corners)) = inside.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!() };
    let Some(VertexAttributeValues::Float32x3(normals)) = inside.attribute(Mesh::ATTRIBUTE_NORMAL) else { panic!() };
    assert!(corners.iter().zip(normals).all(|(p, n)| p[1] == n[1] * layers.area_offset), "each side stands off");
    let borders = drawn_lines(&app, owner, Part::AreaBorders);
    assert_eq!(borders.len(), 8);
    assert!(borders.iter().all(|(_, colour)| *colour == LinearRgba::GREEN));
    app.world_mut().resource_mut::<Layers>().areas = false;
    app.update();
    assert!(part(&app, owner, Part::Areas).is_none() && part(&app, owner, Part::AreaBorders).is_none());
}

#[test]
fn lines_and_highlights_are_drawn_and_removed() {
    let mut app = app(Layers::default());
    let segment = [Vec3::ZERO, Vec3::X];
    let highlight = Highlight {
        triangles: vec![[Vec3::ZERO, Vec3::X, Vec3::Y]],
        segments: vec![segment],
        points: vec![Vec3::Z],
        colour: Color::srgb(1.0, 0.0, 0.0),
    };
    let owner = app.world_mut().spawn((Lines::dashed(vec![(segment, Color::WHITE)]), highlight)).id();
    app.update();
    assert_eq!(drawn_lines(&app, owner, Part::Lines), [(Vec3::ZERO, LinearRgba::WHITE), (Vec3::X, LinearRgba::WHITE)]);
    let style = app.world().get::<Gizmo>(part(&app, owner, Part::Lines).unwrap()).unwrap().line_config.style;
    assert!(matches!(style, GizmoLineStyle::Dashed { .. }));
    assert_eq!(drawn_lines(&app, owner, Part::HighlightLines).len(), 2);
    let faces = mesh(&app, owner, Part::HighlightFaces).unwrap();
    assert_eq!(faces.indices().unwrap().len(), 3 * (2 + 80));
    app.world_mut().resource_mut::<Layers>().lines = false;
    app.world_mut().entity_mut(owner).remove::<Highlight>();
    app.update();
    for absent in [Part::Lines, Part::HighlightFaces, Part::HighlightLines] {
        assert!(part(&app, owner, absent).is_none(), "{absent:?}");
    }
}

#[test]
fn parts_follow_the_render_layers_of_their_owner() {
    let mut app = app(Layers::default());
    let owner = app.world_mut().spawn((cube(), ContactMarks(vec![mark(Vec3::ZERO)]), RenderLayers::layer(3))).id();
    app.update();
    let layers_of = |app: &App| {
        let children: Vec<Entity> = app.world().get::<Children>(owner).unwrap().iter().collect();
        assert_eq!(children.len(), 4);
        children.into_iter().map(|child| app.world().get::<RenderLayers>(child).cloned()).collect::<Vec<_>>()
    };
    assert!(layers_of(&app).into_iter().all(|layers| layers == Some(RenderLayers::layer(3))));
    app.world_mut().entity_mut(owner).insert(RenderLayers::layer(1));
    app.update();
    assert!(layers_of(&app).into_iter().all(|layers| layers == Some(RenderLayers::layer(1))));
    app.world_mut().entity_mut(owner).remove::<RenderLayers>();
    app.update();
    assert!(layers_of(&app).into_iter().all(|layers| layers.is_none()));
}

#[test]
fn lines_of_hidden_owners_are_not_drawn() {
    let mut app = app(Layers::default());
    let owner = app.world_mut().spawn((cube(), ContactMarks(vec![mark(Vec3::ZERO)]), Visibility::Hidden)).id();
    app.update();
    let counts = |app: &App| [Part::Edges, Part::Normals].map(|wanted| drawn_lines(app, owner, wanted).len());
    assert_eq!(counts(&app), [0, 0]);
    *app.world_mut().get_mut::<Visibility>(owner).unwrap() = Visibility::Inherited;
    app.update();
    assert_eq!(counts(&app), [24, 10]);
    *app.world_mut().get_mut::<Visibility>(owner).unwrap() = Visibility::Hidden;
    app.update();
    assert_eq!(counts(&app), [0, 0]);
    let surface = part(&app, owner, Part::Surface).unwrap();
    assert!(!app.world().get::<InheritedVisibility>(surface).unwrap().get());
}

#[test]
fn without_assets_nothing_is_made_and_nothing_fails() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DrawPlugin::default()));
    let owner = app.world_mut().spawn(cube()).id();
    app.update();
    assert!(app.world().get::<Children>(owner).is_none());
}
