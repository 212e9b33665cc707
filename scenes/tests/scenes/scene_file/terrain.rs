//! Compounds, height fields and open surfaces in scene files.

use drystone_contact::shape::{MeshSides, Shape};
use drystone_scenes::scene_file::{encode, parse};

const SCENE: &str = r#"
name = "terrain"
materials = ["stone"]
interaction = [{ between = ["stone", "stone"], friction = 0.5 }]

[[body]]
name = "ground"
material = "stone"
fixed = true
shape.height_field = { rows = 2, columns = 3, spacing = [0.5, 2], heights = [0, 0.1, 0.2, 0, 0.3, -0.1] }

[[body]]
name = "sheet"
material = "stone"
fixed = true
position = [0, 3, 0]
shape = { surface = "two-sided", vertices = [[0, 0, 0], [1, 0, 0], [0, 0, 1]], triangles = [[0, 2, 1]], scale = 2 }

[[body]]
name = "club"
material = "stone"
density = 800
position = [0, 2, 0]
shape.parts = [
  { shape.box = [0.6, 0.1, 0.1] },
  { shape = { primitive = "ball", dimensions = [0.2] }, position = [0.3, 0, 0] },
  { shape.box = [0.1, 0.1, 0.1], position = [-0.3, 0, 0], rotation = { axis = [0, 1, 0], degrees = 45 } },
]
"#;

#[test]
fn they_are_read_and_written_to_the_same_bits() {
    let scene = parse(SCENE, "").unwrap();
    let [ground, sheet, club] = [0, 1, 2].map(|k| &*scene.bodies[k].shape);
    let (Shape::HeightField(field), Shape::TriangleMesh(mesh)) = (ground, sheet) else { panic!("other shapes") };
    assert_eq!((field.size(), field.spacing(), field.heights()[4]), ([2, 3], [0.5, 2.0], 0.3));
    assert_eq!((mesh.sides(), mesh.vertices()[1].x), (MeshSides::Both, 2.0));
    assert_eq!(club.as_compound().unwrap().parts().len(), 3);
    let text = encode(&scene).unwrap();
    let again = parse(&text, "").unwrap();
    assert!(
        scene.bodies.iter().zip(&again.bodies).all(|(one, other)| one.shape == other.shape && one.body == other.body)
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    let cases = [
        ("rows = 2", "rows = 4", "shape.height_field", "4 rows of 3 heights"),
        ("[0, 0.1, 0.2, 0, 0.3, -0.1]", "[0, 0.1, nan, 0, 0.3, -0.1]", "shape.height_field", "row 0, column 2"),
        ("spacing = [0.5, 2]", "spacing = [0.5, 0]", "shape.height_field", "the spacing of the rows is 0"),
        ("two-sided", "sided", "line 17", "unknown variant"),
        ("triangles = [[0, 2, 1]]", "triangles = [[0, 2, 3]]", "shape", "names vertex 3"),
        ("triangles = [[0, 2, 1]]", "triangles = [[0, 2, 2]]", "shape", "has no area"),
        ("triangles = [[0, 2, 1]]", "tetrahedra = [[0, 2, 1, 1]]", "shape", "beside `surface` give"),
        ("\"ball\", dimensions = [0.2]", "\"half-space\"", "shape", "it has no end"),
        ("fixed = true\nshape.height", "density = 1\nshape.height", "\"ground\"", "neither volume nor mass"),
        ("degrees = 45", "degrees = inf", "shape.parts[2].rotation", "finite angle"),
    ];
    for (right, wrong, place, message) in cases {
        assert!(SCENE.contains(right), "{right}");
        let error = parse(&SCENE.replacen(right, wrong, 1), "").unwrap_err().to_string();
        assert!(error.contains(place) && error.contains(message), "{wrong}: {error}");
    }
}
