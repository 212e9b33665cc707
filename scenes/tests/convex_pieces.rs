//! Scratch.
use drystone_contact::vclip::convex_pieces::{ConvexPieces, PieceSettings};
use drystone_contact::vclip::hierarchy::*;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::scene::Scene;
use drystone_scenes::split_mix::SplitMix;
use std::time::Instant;

#[test]
fn counts() {
    let mut seen: Vec<*const drystone_contact::shape::Shape> = vec![];
    let mut scenes: Vec<(String, Scene)> =
        BuiltIn::all().into_iter().map(|b| (b.name().to_string(), b.scene(Model::Procedural, None).unwrap())).collect();
    for b in BuiltIn::assessed() {
        scenes.push((format!("recorded {}", b.name()), b.scene(Model::Recorded, None).unwrap()));
    }
    for (name, scene) in &scenes {
        let mut lines = std::collections::BTreeMap::<String, usize>::new();
        for body in &scene.bodies {
            if seen.contains(&std::sync::Arc::as_ptr(&body.shape)) {
                continue;
            }
            seen.push(std::sync::Arc::as_ptr(&body.shape));
            let mesh = body.shape.mesh();
            let start = Instant::now();
            let mut text = format!("{} tets", mesh.tetrahedra().len());
            let h = PieceHierarchy::of_mesh(mesh, &PieceSettings::default());
            let t = start.elapsed().as_secs_f64();
            if let Ok(h) = &h {
                let m = h.nodes().iter().map(|n| n.margin).fold(0.0, f64::max);
                if m > 1e-14 {
                    text += &format!(" margin {m:.1e}");
                }
            }
            text += &match &h {
                Ok(h) => format!(" {} pieces", h.pieces().pieces().len()),
                Err(e) => format!(" ERROR {e}"),
            };
            if mesh.tetrahedra().len() < 1500 {
                let fine = body.shape.refined(1).unwrap();
                let start = Instant::now();
                text += &match &fine.pieces() {
                    Ok(h) => format!(" refined {} pieces", h.pieces().pieces().len()),
                    Err(e) => format!(" refined ERROR {e}"),
                };
                if start.elapsed().as_secs_f64() > 0.03 {
                    text += &format!(" {:.2} s", start.elapsed().as_secs_f64());
                }
            }
            if t > 0.01 {
                text += &format!(" {t:.2} s");
            }
            *lines.entry(text).or_default() += 1;
            let mut random = SplitMix::new(1);
            if mesh.tetrahedra().len() < 1500 {
                let mut bad = 0;
                let mut error = String::new();
                let fine = body.shape.refined(1).unwrap();
                for k in 0..20 {
                    let q = random.next_rotation();
                    let mesh = if k % 4 == 0 { fine.mesh() } else { mesh };
                    let turned = mesh
                        .with_vertices(mesh.vertices().iter().map(|&v| q * v + glam::DVec3::splat(0.3)).collect())
                        .unwrap();
                    match PieceHierarchy::of_mesh(&turned, &PieceSettings::default()) {
                        Err(e) => {
                            bad += 1;
                            error = e.to_string();
                        }
                        Ok(t) => {
                            if let Ok(h) = &h
                                && h.pieces().pieces().len() != t.pieces().pieces().len()
                            {
                                println!(
                                    "{name} {} turned differs {} {}",
                                    k,
                                    h.pieces().pieces().len(),
                                    t.pieces().pieces().len()
                                );
                            }
                        }
                    }
                }
                if bad > 0 {
                    println!("{name} turned: {bad} of 20 bad: {error}");
                }
            }
        }
        for (line, n) in lines {
            println!("{name}: {n} x {line}");
        }
    }
    let _ = ConvexPieces::of_mesh;
}
