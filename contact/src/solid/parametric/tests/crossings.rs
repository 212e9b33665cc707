//! Segments against patches.

use super::*;

#[test]
fn segments_through_poles_and_borders_cross_once_each_way() {
    let mut random = SplitMix::new(70);
    for scale in SCALES {
        let ball = Parametric::ball(scale).unwrap();
        let mut directions = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Z];
        for _ in 0..50 {
            let d = vector(&mut random);
            directions.extend([d.with_x(0.0), d.with_y(0.0), d.with_z(0.0)].map(DVec3::normalize));
        }
        for direction in directions {
            let found = crossings(&ball, -2.0 * scale * direction, 2.0 * scale * direction);
            assert_eq!(found.len(), 2, "{direction}: {found:?}");
            for (crossing, (share, sign)) in found.iter().zip([(0.25, -1.0), (0.75, 1.0)]) {
                assert!((crossing.share - share).abs() < 1e-13 && crossing.is_entry == (sign < 0.0), "{found:?}");
                assert!(crossing.normal.unwrap().distance(sign * direction) < 1e-7, "{direction}: {crossing:?}");
            }
        }
        // Toward a pole from anywhere, and past it.
        for _ in 0..50 {
            let from = (DVec3::Z + vector(&mut random).with_z(1.0)) * scale;
            let found = crossings(&ball, from, DVec3::Z * scale * (1.0 - log_uniform(&mut random, 1e-8, 1e-1)));
            assert_eq!(found.len(), 1, "{from}: {found:?}");
        }
        // Edges and corners of a block: one crossing each, without a normal.
        let block = block(scale);
        for to in [DVec3::new(-1.0, -1.0, 0.1), DVec3::new(-1.0, -1.0, -1.0), DVec3::new(0.2, -1.0, -1.0)] {
            let found = crossings(&block, DVec3::ZERO, to * scale);
            assert_eq!(found.len(), 1, "{to}: {found:?}");
            assert!(!found[0].is_entry && found[0].normal.is_none() && (found[0].share - 0.5).abs() < 1e-12);
        }
        // Along a face and along an edge: nothing, or as often in as out.
        for y in [-0.5, 0.1] {
            let (from, to) = (DVec3::new(-2.0, y, -0.5) * scale, DVec3::new(2.0, y, -0.5) * scale);
            let found = crossings(&block, from, to);
            assert!(
                found.len().is_multiple_of(2) && found.chunks(2).all(|pair| pair[0].is_entry && !pair[1].is_entry),
                "{found:?}"
            );
        }
    }
}

#[test]
fn grazing_segments_get_out_as_often_as_in() {
    let mut random = SplitMix::new(80);
    let ball = Parametric::ball(1.0).unwrap();
    let mut pairs = 0;
    for case in 0..300 {
        let up = if case % 3 == 0 { DVec3::Z } else { vector(&mut random).normalize() };
        let along = up.any_orthonormal_vector();
        let height = 1.0 + log_uniform(&mut random, 1e-17, 1e-3) * if case % 2 == 0 { 1.0 } else { -1.0 };
        let found = crossings(&ball, up * height - 1.3 * along, up * height + 1.7 * along);
        assert!(found.is_empty() || found.len() == 2 && found[0].is_entry && !found[1].is_entry, "{height}: {found:?}");
        // Above that it is more than rounding.
        if height > 1.0 + 1e-12 {
            assert!(found.is_empty(), "{height}: {found:?}");
        }
        if height < 1.0 - 1e-12 {
            assert_eq!(found.len(), 2, "{height}");
            let half = (1.0 - height * height).sqrt();
            let off = (found[1].share - found[0].share) * 3.0 - 2.0 * half;
            assert!(off.abs() <= 1e-12 / half + 1e-12, "{height}: {off}");
            pairs += 1;
        }
    }
    assert!(pairs > 50);
}
