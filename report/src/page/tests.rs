use std::ops::ControlFlow;

use super::*;
use crate::inspection::{Frame, Opened, Request, What, examine, open};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use drystone_contact::generator::{Method, methods};
use serde_json::Value;

fn opened(scene: &str, method: Method) -> Opened {
    open(&Request { method, ..Request::new(scene.parse::<What>().unwrap()) }).unwrap()
}

fn frames(opened: Opened, last: u64) -> Vec<Frame> {
    let mut frames = Vec::new();
    opened.source.run(&mut |frame| {
        frames.push(frame.unwrap());
        if frames.len() as u64 <= last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    frames
}

fn run(scene: &str, method: Method, last: u64, budget: usize) -> Run {
    let opened = opened(scene, method);
    let mut run = Run::new(opened.subject.clone(), budget);
    frames(opened, last).into_iter().for_each(|frame| run.add(frame));
    run
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn singles(value: &Value) -> Vec<f32> {
    let bytes = STANDARD.decode(value.as_str().unwrap()).unwrap();
    bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

fn whole(value: &Value) -> Vec<u32> {
    let bytes = STANDARD.decode(value.as_str().unwrap()).unwrap();
    bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
}

fn page_of(runs: impl IntoIterator<Item = Run>) -> String {
    let mut page = Page::new("A page");
    runs.into_iter().for_each(|run| page.add(run));
    page.html().unwrap()
}

#[test]
fn what_is_written_is_what_was_found() {
    let of = opened("internal-edges", methods::growth_distance());
    let subject = of.subject.clone();
    let frames = frames(of, 3);
    let page = page_of([run("internal-edges", methods::growth_distance(), 3, Page::BUDGET)]);
    let data = data(&page);
    let written = &data["runs"][0];
    assert_eq!(written["moments"].as_array().unwrap().len(), frames.len());
    assert_eq!((&data["scenes"][0]["name"], &written["label"]), (&"internal-edges".into(), &"growth-distance".into()));
    for (moment, frame) in written["moments"].as_array().unwrap().iter().zip(&frames) {
        let examined = examine(&subject, frame);
        let contacts = &moment["contacts"];
        assert_eq!(moment["step"], frame.step);
        assert_eq!(contacts["count"], frame.contacts.len());
        assert_eq!(moment["numbers"]["coverage"].as_f64(), frame.numbers.coverage);
        let positions = frame.contacts.iter().flat_map(|c| c.contact.position.to_array().map(|x| x as f32));
        assert_eq!(singles(&contacts["positions"]), positions.collect::<Vec<_>>());
        let normals = frame.contacts.iter().flat_map(|c| c.contact.normal.to_array().map(|x| x as f32));
        assert_eq!(singles(&contacts["normals"]), normals.collect::<Vec<_>>());
        let gaps = frame.contacts.iter().map(|c| c.contact.gap as f32);
        assert_eq!(singles(&contacts["gaps"]), gaps.collect::<Vec<_>>());
        let qualities = examined.contacts.iter().map(|c| c.quality.unwrap() as f32);
        assert_eq!(singles(&contacts["qualities"]), qualities.collect::<Vec<_>>());
        assert_eq!(contacts["forces"].is_null(), frame.impulses.is_none());
        let pairs = whole(&contacts["pairs"]);
        let bodies = pairs.chunks(3).flat_map(|p| (0..p[2]).map(|_| (p[0] as usize, p[1] as usize)));
        assert!(bodies.eq(frame.contacts.iter().map(|c| (c.a.index(), c.b.index()))));
        let names: Vec<&Value> =
            whole(&moment["features"]).into_iter().map(|k| &written["features"][k as usize]).collect();
        for (name, contact) in names.iter().zip(&frame.contacts) {
            assert_eq!(name[0], drystone_scenes::contact_list::feature_name(contact.contact.feature_a));
        }
        let poses = singles(&moment["poses"]);
        assert_eq!(poses.len(), 7 * frame.poses.len());
        assert_eq!(poses[7], frame.poses[1].translation.x as f32);
        // Verdicts and kinds are places in the legends of the moment.
        for (list, legend, title) in [("kinds", 3, "Features"), ("verdicts", 4, "Verdict of the normal-cone filter")] {
            let legend = &data["legends"][moment["legends"][legend].as_u64().unwrap() as usize];
            assert_eq!(legend["title"], title);
            let entries = legend["entries"].as_array().unwrap();
            let places = STANDARD.decode(contacts[list].as_str().unwrap()).unwrap();
            for (k, entry) in entries.iter().enumerate() {
                assert_eq!(entry[2], places.iter().filter(|place| usize::from(**place) == k).count());
            }
        }
    }
}

#[test]
fn shapes_and_scenes_that_runs_share_stand_once() {
    let methods = [methods::semi_local(), methods::vertex_only(), methods::semi_local()];
    let page = page_of(methods.map(|method| run("pillar", method, 0, Page::BUDGET)));
    let data = data(&page);
    assert_eq!(data["scenes"].as_array().unwrap().len(), 1);
    let bodies = data["scenes"][0]["bodies"].as_array().unwrap();
    assert_eq!((data["shapes"].as_array().unwrap().len(), bodies.len()), (8, 8));
    let labels: Vec<&str> = data["runs"].as_array().unwrap().iter().map(|r| r["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["semi-local", "vertex-only", "semi-local, corrected"]);
    assert_eq!(bodies.iter().filter(|body| body["kind"] == "dynamic").count(), 7);
}

#[test]
fn names_cannot_break_out_of_the_page() {
    let nasty = "</script><script>alert(1)</script><!-- {{data}} & \"'";
    let opened = opened("spikes", methods::semi_local());
    let mut subject = (*opened.subject).clone();
    subject.scene = nasty.into();
    subject.bodies[0].name = nasty.into();
    let mut run = Run::new(subject.into(), Page::BUDGET);
    frames(opened, 1).into_iter().for_each(|frame| run.add(frame));
    let mut page = Page::new(nasty);
    page.note(nasty);
    page.add(run);
    let page = page.html().unwrap();
    let plain = page_of([super::tests::run("spikes", methods::semi_local(), 1, Page::BUDGET)]);
    for mark in ["<script", "</script", "<!--"] {
        assert_eq!(page.matches(mark).count(), plain.matches(mark).count(), "{mark}");
    }
    let data = data(&page);
    assert_eq!((&data["title"], &data["scenes"][0]["name"]), (&nasty.into(), &nasty.into()));
    assert_eq!(data["scenes"][0]["bodies"][0]["name"], nasty);
}

#[test]
fn what_is_no_number_and_what_is_not_known_is_written_all_the_same() {
    let opened = opened("spikes", methods::semi_local());
    let mut subject = (*opened.subject).clone();
    subject.truth = None;
    let mut run = Run::new(subject.into(), Page::BUDGET);
    let mut frames = frames(opened, 2);
    frames[1].contacts.clear();
    frames[1].impulses = Some(Vec::new());
    frames[2].numbers.energy.kinetic = f64::NAN;
    frames[2].contacts[0].contact.gap = f64::NAN;
    frames.into_iter().for_each(|frame| run.add(frame));
    let data = data(&page_of([run]));
    let moments = &data["runs"][0]["moments"];
    assert_eq!(moments[1]["contacts"]["count"], 0);
    assert_eq!(moments[1]["contacts"]["positions"], "");
    assert!(moments[2]["numbers"]["kinetic"].is_null() && moments[2]["contacts"]["qualities"].is_null());
    assert!(singles(&moments[2]["contacts"]["gaps"])[0].is_nan());
    let nothing = page_of([]);
    assert!(super::tests::data(&nothing)["runs"].as_array().unwrap().is_empty());
}

#[test]
fn a_long_run_is_thinned_and_reaches_from_the_first_step_to_the_last() {
    let whole = run("cliff-edges", methods::semi_local(), 20, Page::BUDGET);
    assert_eq!((whole.every(), whole.steps().len()), (1, 21));
    let mut thinned = run("cliff-edges", methods::semi_local(), 21, whole.bytes() / 3);
    thinned.finish();
    assert_eq!(thinned.steps().collect::<Vec<_>>(), [0, 4, 8, 12, 16, 20, 21]);
    let page = page_of([thinned.clone()]);
    assert!(page.contains("not all of their steps"));
    assert_eq!(data(&page)["runs"][0]["every"], 4);
    // Of several runs the largest give way, and no run loses its ends.
    let few = run("cliff-edges", methods::semi_local(), 2, Page::BUDGET);
    let mut page = Page::new("").with_budget(whole.bytes() / 2);
    [whole.clone(), few].into_iter().for_each(|run| page.add(run));
    let both = data(&page.html().unwrap());
    let steps = |k: usize| {
        both["runs"][k]["moments"].as_array().unwrap().iter().map(|m| m["step"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((steps(0), steps(1)), (vec![0, 4, 8, 12, 16, 20], vec![0, 1, 2]));
    let mut page = Page::new("").with_budget(0);
    page.add(whole);
    assert_eq!(data(&page.html().unwrap())["runs"][0]["moments"].as_array().unwrap().len(), 2);
}

/// The whole of a page takes about what its runs say.
#[test]
fn the_size_of_a_run_is_known() {
    let run = run("wall", methods::growth_distance(), 2, Page::BUDGET);
    let said = run.bytes() as f64;
    let empty = page_of([]).len() as f64;
    let taken = page_of([run]).len() as f64 - empty;
    assert!((0.8..1.25).contains(&(taken / said)), "{taken} bytes, said {said}");
}
