//! The picked contact: where it is, why it is there, and what became of it.

use std::sync::Arc;

use bevy_egui::egui::{Grid, Id, Label, RichText, Ui};
use drystone::contact::generator::cone_filter::Verdict;
use drystone_report::inspection::ExaminedContact;
use drystone_report::inspection::colour::SELECTED;

use super::colours::{NOTE, WRONG, colour};
use super::figures::{vector, with_unit};
use super::time_plot::{Series, TimePlot};
use super::{picked, words};
use crate::model::selection::contact_history;
use crate::model::{Command, ContactKey, ContactSample, Selected, Shown, State};

/// Shows a contact.
pub fn show(ui: &mut Ui, state: &mut State, track: usize, key: ContactKey) {
    let Some(shown) = state.shown(track).cloned() else { return };
    let names = [key.a, key.b].map(|id| words::body(&shown.subject, id).to_owned());
    match shown.selected.first() {
        Some(&index) => facts(ui, state, track, &shown, index),
        None => {
            let text = format!(
                "In this step the contact of {} with {} is not there ({} of one, {} of the other).",
                names[0],
                names[1],
                words::feature(key.feature_a),
                words::feature(key.feature_b)
            );
            ui.add(Label::new(RichText::new(text).color(NOTE)).wrap());
        }
    }
    bodies(ui, state, key, &names);
    history(ui, state, track, key);
}

fn facts(ui: &mut Ui, state: &mut State, track: usize, shown: &Shown, index: usize) {
    let examined = shown.examined.contacts[index];
    let ExaminedContact { between, quality, verdict, force } = examined;
    let contact = between.contact;
    let names = [between.a, between.b].map(|id| words::body(&shown.subject, id));
    let method = &shown.subject.method;
    let method = format!("{method}, {}", method.variant());
    let force = force.map_or_else(|| "unknown".into(), |f| format!("{} {}", with_unit(f.length(), "N"), vector(f)));
    let rows = [
        (
            "Contact",
            format!("{index} (of {})", shown.frame.contacts.len()),
            "Its place in the list of this step, from 0",
        ),
        ("Position (m)", vector(contact.position), "World frame"),
        ("Normal", vector(contact.normal), "Unit, from A to B"),
        ("Gap", with_unit(contact.gap, "m"), "Below zero it penetrates"),
        ("Force on B", force, "Mean over the step"),
        ("Feature of A", words::feature(contact.feature_a), "What it comes from on the first body"),
        ("Feature of B", words::feature(contact.feature_b), "What it comes from on the second body"),
        ("Method", method, "What found it"),
        ("Quality", words::quality(quality), "How well its normal agrees with an expected one"),
    ];
    Grid::new("picked contact").num_columns(2).striped(true).show(ui, |ui| {
        for (name, value, hover) in rows {
            ui.label(name).on_hover_text(hover);
            ui.add(Label::new(RichText::new(value).monospace()).wrap());
            ui.end_row();
        }
    });
    let text = words::verdict(verdict, names[0], names[1]);
    let text = RichText::new(text);
    ui.add(Label::new(if verdict.is_kept() { text } else { text.color(WRONG) }).wrap());
    if let Verdict::Merged { into } = verdict {
        let hover = "Picks the contact that says the same";
        if ui.button(format!("Go to contact {into}")).on_hover_text(hover).clicked() {
            picked::pick(state, track, shown, into);
        }
    }
    expected(ui, shown, &examined);
}

fn expected(ui: &mut Ui, shown: &Shown, examined: &ExaminedContact) {
    let Some(truth) = &shown.subject.truth else { return };
    let between = &examined.between;
    match truth.of(between.a, between.b) {
        None => ui.label("Between these bodies no contact is expected."),
        Some(pair) => {
            let normals: Vec<String> =
                pair.normals.iter().map(|n| vector(n.at(&shown.frame.poses).direction)).collect();
            let text = format!("Expected normals (either sense): {}", normals.join(", "));
            ui.add(Label::new(text).wrap())
        }
    };
}

fn bodies(ui: &mut Ui, state: &mut State, key: ContactKey, names: &[String; 2]) {
    ui.horizontal_wrapped(|ui| {
        for (id, name, which) in [(key.a, &names[0], "A"), (key.b, &names[1], "B")] {
            if ui.button(format!("{which}: {name}")).on_hover_text("Picks this body").clicked() {
                state.apply(Command::Select(Selected::Body(id)));
            }
        }
    });
}

/// What is kept of a history from one picture to the next.
#[derive(Clone)]
struct Known {
    of: (usize, ContactKey, u64, usize, usize),
    samples: Arc<Vec<ContactSample>>,
}

fn history(ui: &mut Ui, state: &mut State, track: usize, key: ContactKey) {
    let samples = samples(ui, state, track, key);
    if samples.len() < 2 {
        return;
    }
    let gaps = samples.iter().map(|s| [s.step as f64, s.gap]).collect();
    let gaps = Series { name: "gap".into(), colour: colour(SELECTED), points: gaps };
    TimePlot {
        name: "Gap over time (m)",
        hover: "Click or drag goes to that step",
        is_log: false,
        in_sight: &[0.0],
        series: vec![gaps],
    }
    .show(ui, state);
    let impulses: Vec<[f64; 2]> = samples.iter().filter_map(|s| Some([s.step as f64, s.impulse?])).collect();
    if impulses.len() > 1 {
        let impulses = Series { name: "impulse".into(), colour: colour(SELECTED), points: impulses };
        TimePlot {
            name: "Normal impulse over time (N s)",
            hover: "Click or drag goes to that step",
            is_log: false,
            in_sight: &[0.0],
            series: vec![impulses],
        }
        .show(ui, state);
    }
}

/// Looking through all steps takes long; it is done again only when there are others.
fn samples(ui: &Ui, state: &State, track: usize, key: ContactKey) -> Arc<Vec<ContactSample>> {
    let history = state.tracks()[track].history();
    // Another run of the same scene has another subject.
    let run = state.tracks()[track].subject().map_or(0, |subject| Arc::as_ptr(subject) as usize);
    let of = (track, key, history.last_step().unwrap_or(0), history.len(), run);
    let id = Id::new("history of the picked contact");
    let known: Option<Known> = ui.data(|data| data.get_temp(id));
    if let Some(known) = known.filter(|known| known.of == of) {
        return known.samples;
    }
    let samples = Arc::new(contact_history(history, &key));
    ui.data_mut(|data| data.insert_temp(id, Known { of, samples: Arc::clone(&samples) }));
    samples
}
