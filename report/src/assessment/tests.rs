//! The page of a report: well-formed, whole, self-contained, whatever part of it there is.

use drystone_contact::generator::{Method, methods};
use drystone_scenes::assessment::{Assessed, Assessment, Row, assess};
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::contact_region::RegionSettings;
use drystone_scenes::detection::Moment;
use drystone_scenes::measure::Matching;
use drystone_scenes::scene::Scene;
use drystone_scenes::study::{Found, InterfaceArea, Sample, Statistics};
use drystone_scenes::truth::TruthKind;

use super::*;
use crate::markup::xml;

/// A name that breaks markup that is not escaped.
const NASTY: &str = "a<b> & \"c\" 'd'";

fn assessed(scene: &Scene, method: &Method) -> Assessed {
    let request = Assessment {
        truth: TruthKind::Corrected,
        moment: Some(Moment::Start),
        matching: Matching::default(),
        region: RegionSettings::default(),
        filter: None,
    };
    assess(scene, method, &request).unwrap()
}

fn sample(scene: &str, method: Method, parameter: f64, qualities: &[f64]) -> Sample {
    let area = |expected, measured| InterfaceArea { a: NASTY.into(), b: "ground".into(), expected, measured };
    Sample {
        scene: scene.into(),
        method,
        step: 2,
        parameter,
        contacts: qualities.len(),
        matching: qualities.iter().filter(|q| **q > 0.9999).count(),
        qualities: qualities.to_vec(),
        up: qualities.to_vec(),
        areas: vec![area(0.3125, 0.3), area(0.2, f64::NAN)],
        coverage: Some(0.93),
        found: Found::default(),
    }
}

/// What holds for every page.
fn check(report: &Report<'_>) -> String {
    let page = report.page();
    let text = xml(&page);
    let document = roxmltree::Document::parse(&text).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|n| n.attribute("id")).collect();
    for (k, id) in ids.iter().enumerate() {
        assert!(!ids[..k].contains(id), "{id} twice");
    }
    let files: Vec<String> = report.files().unwrap().iter().map(|f| f.name.to_owned()).collect();
    for node in document.descendants() {
        let is_picture = |file: &str| report.rendered.iter().any(|picture| picture.file == file);
        assert!(
            node.attribute("src").is_none_or(is_picture) && !node.has_tag_name("script") && !node.has_tag_name("link")
        );
        if let Some(target) = node.attribute("href") {
            match target.strip_prefix('#') {
                Some(id) => assert!(ids.contains(&id), "no {id}"),
                None => assert!(
                    files.iter().chain(&report.head.files).any(|f| f == target) || is_picture(target),
                    "{target}"
                ),
            }
        }
        if let Some(path) = node.attribute("d") {
            let is_of_path = |c: char| c.is_ascii_digit() || " .-MLHVlvhZ".contains(c);
            assert!(path.chars().all(is_of_path), "{path}");
        }
        if node.has_tag_name(("http://www.w3.org/2000/svg", "svg")) && node.attribute("role") == Some("img") {
            let has =
                |name| node.children().any(|c| c.tag_name().name() == name && c.text().is_some_and(|t| !t.is_empty()));
            assert!(has("title") && has("desc"), "a drawing without words");
        }
        if node.has_tag_name("th") {
            assert!(node.attribute("scope").is_some());
        }
    }
    assert!(!page.contains("NaN") && !page.contains("url(") && !page.contains("@import"));
    page
}

#[test]
fn any_part_may_be_missing() {
    let head = Head { title: NASTY.into(), failures: vec![NASTY.into()], ..Head::default() };
    let scene = Case::CliffEdges.scene(Model::Procedural, None).unwrap();
    let rows: Vec<Row> = methods::all().iter().map(|m| assessed(&scene, m).row).collect();
    let samples =
        [sample("pillar", methods::volume_sat(), 0.0, &[]), sample("wall", methods::most_opposing(), 0.0, &[1.0, 0.2])];
    let statistics = [Statistics {
        scene: "pillar".into(),
        method: methods::intersection(),
        counts: vec![],
        mean: f64::NAN,
        min: 0,
        max: 0,
        deviation: f64::NAN,
        published: None,
    }];
    let studies = [Study { kind: StudyKind::TimeStep, samples: &[] }];
    let empty = Report { head, ..Report::default() };
    assert!(check(&empty).contains("a&lt;b&gt; &amp; &quot;c&quot;"));
    check(&Report { rows: &rows, ..empty.clone() });
    let filtered = [Filtered::from(&assessed(&scene, &methods::volume_sat()))];
    check(&Report { rows: &rows, filtered: &filtered, ..empty.clone() });
    check(&Report { samples: &samples, ..empty.clone() });
    check(&Report { statistics: &statistics, ..empty.clone() });
    check(&Report { studies: &studies, ..empty });
}

#[test]
fn a_whole_report_shows_and_links_everything() {
    let mut scene = Case::SpikeInHole.scene(Model::Procedural, None).unwrap();
    scene.name = NASTY.into();
    let found: Vec<Assessed> = methods::all().iter().map(|m| assessed(&scene, m)).collect();
    let rows: Vec<Row> = found.iter().map(|a| a.row.clone()).collect();
    let pillar = BuiltIn::Pillar.scene(Model::Procedural, None).unwrap();
    let of_pillar = assessed(&pillar, &methods::most_opposing());
    let (all, most_opposing) = (methods::all(), methods::most_opposing());
    let pictures: Vec<Picture<'_>> = found
        .iter()
        .zip(&all)
        .map(|(a, method)| (&scene, &a.detection, method, None))
        .chain([(&pillar, &of_pillar.detection, &most_opposing, None)])
        .chain([(&pillar, &of_pillar.detection, &most_opposing, Some(StudyKind::Perturbation))])
        .map(|(scene, d, method, study)| Picture {
            scene,
            method: method.name(),
            contacts: &d.contacts,
            poses: &d.poses,
            study,
            parameter: 0.03,
        })
        .collect();
    let values = [1.0, 1.0, 0.99, 0.5, 0.0];
    let samples: Vec<Sample> = ["pillar", "wall", "arch"]
        .iter()
        .flat_map(|scene| methods::all().into_iter().map(|method| sample(scene, method, 0.0, &values)))
        .collect();
    let of_study: Vec<Sample> =
        [0.03, 0.01].iter().map(|p| sample("pillar", methods::growth_distance(), *p, &values)).collect();
    let kinds = [StudyKind::Perturbation, StudyKind::Refinement, StudyKind::TimeStep];
    let studies = kinds.map(|kind| Study { kind, samples: &of_study });
    let statistics = [Statistics {
        scene: "pillar".into(),
        method: methods::closest_points(),
        counts: (0..500).map(|k| 100 + k % 7).collect(),
        mean: 103.0,
        min: 100,
        max: 106,
        deviation: 2.0,
        published: Some([267.11, 102.0, 375.0, 59.4]),
    }];
    let notes = [About::Table6, About::Table7, About::Table8, About::Wall, About::Arch, About::Everything]
        .map(|about| Note { about, cells: "cells:".into(), text: format!("{NASTY} {about:?}") });
    let cliff = Case::CliffEdges.scene(Model::Procedural, None).unwrap();
    let filtered: Vec<Filtered> = methods::all().iter().map(|m| Filtered::from(&assessed(&cliff, m))).collect();
    let rendered = ["pillar", NASTY, "elsewhere"].map(|scene| Rendered {
        scene: scene.into(),
        method: "volume-sat".into(),
        step: 2,
        file: format!("{scene}.png"),
        size: [960, 720],
    });
    let report = Report {
        head: Head {
            title: "Whole".into(),
            command: NASTY.into(),
            files: vec!["assessment.csv".into()],
            ..Head::default()
        },
        rows: &rows,
        filtered: &filtered,
        samples: &samples,
        statistics: &statistics,
        studies: &studies,
        pictures: &pictures,
        rendered: &rendered,
        notes: &notes,
    };
    let page = check(&report);
    let text = xml(&page);
    let document = roxmltree::Document::parse(&text).unwrap();
    let drawings = document.descendants().filter(|n| n.attribute("role") == Some("img")).count();
    // Pictures; quality and coverage of three scenes; normals and areas of each sample; counts; a method a study.
    assert_eq!(drawings, pictures.len() + 6 + 2 * samples.len() + 1 + 3);
    let images: Vec<_> = document.descendants().filter(|n| n.has_tag_name("img")).collect();
    assert!(images.iter().all(|n| n.attribute("alt").is_some_and(|text| !text.is_empty())));
    let within = |id: &str| {
        let at = document.descendants().find(|n| n.attribute("id") == Some(id)).unwrap();
        at.descendants().filter(|n| n.has_tag_name("img")).count()
    };
    // Each with its scene; of a scene that is not in the report there is none.
    assert_eq!((images.len(), within("scene-pillar"), within("cases")), (2, 1, 1));
    for about in ["Table6", "Table7", "Wall", "Arch", "Everything"] {
        assert!(page.contains(about), "{about}");
    }
    let section = document.descendants().find(|n| n.attribute("id") == Some("filter")).unwrap();
    let tables: Vec<_> = section.descendants().filter(|n| n.has_tag_name("table")).collect();
    let shown = |table: usize, tag| tables[table].descendants().filter(|n| n.has_tag_name(tag)).count();
    assert_eq!((shown(0, "td"), shown(1, "td")), (6 * methods::all().len(), methods::all().len()));
    assert!(page.contains("± 0.03 m") && page.contains("level 0.03") && page.contains("97.9"));

    let files = report.files().unwrap();
    let lines = |name: &str| {
        let file = files.iter().find(|f| f.name == name).unwrap();
        csv::Reader::from_reader(&file.content[..]).into_records().collect::<Result<Vec<_>, _>>().unwrap().len()
    };
    let runs = samples.len() + 3 * of_study.len();
    assert_eq!((lines("samples.csv"), lines("normals.csv"), lines("areas.csv")), (runs, 2 * 5 * runs, 2 * runs));
    assert_eq!((lines("counts.csv"), lines("statistics.csv")), (500, 1));
    let json: serde_json::Value = serde_json::from_slice(&files[0].content).unwrap();
    assert_eq!(json["samples"].as_array().unwrap().len(), samples.len());
    assert_eq!(json["rows"][0]["scene"], NASTY);
}
