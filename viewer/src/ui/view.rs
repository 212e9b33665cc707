//! What is drawn and how.

use bevy_egui::egui::{Grid, Response, Slider, Ui};
use drystone_report::inspection::{ColourBy, ExplodeAlong};

use super::choice::{Choice, choose};
use crate::model::{BodyStyle, Command, ContactsWith, Show, State};

/// Sizes of points and normals, by the usual ones.
const SIZES: std::ops::RangeInclusive<f64> = 0.1..=5.0;

/// Shows the section.
pub fn show(ui: &mut Ui, state: &mut State) {
    presets(ui, state);
    Grid::new("view").num_columns(2).show(ui, |ui| {
        choices(ui, state);
        marks(ui, state);
        sizes(ui, state);
    });
}

fn presets(ui: &mut Ui, state: &mut State) {
    ui.horizontal(|ui| {
        let paper = "Red wireframes, blue points and normals: the figures of the paper (P)";
        if ui.button("As in the paper").on_hover_text(paper).clicked() {
            state.apply(Command::Paper);
        }
        if ui.button("Default").on_hover_text("Bodies and contacts as at the first start (D)").clicked() {
            state.apply(Command::Default);
        }
    });
}

fn choices(ui: &mut Ui, state: &mut State) {
    let bodies = BodyStyle::ALL.map(|style| choice(style, style.name(), body_summary(style)));
    if let Some(style) = choose(ui, ("Body style", "How bodies are drawn (Z)"), &state.view.bodies, bodies) {
        state.apply(Command::Bodies(style));
    }
    let colours = ColourBy::ALL.map(|by| choice(by, by.name(), colour_summary(by)));
    if let Some(by) = choose(ui, ("Colour by", "What contacts are coloured by (C)"), &state.view.colour, colours) {
        state.apply(Command::Colour(by));
    }
    let shows = Show::ALL.map(|show| choice(show, show.name(), show_summary(show)));
    if let Some(show) = choose(ui, ("Draw contacts", "Which contacts are drawn"), &state.view.show, shows) {
        state.view.show = show;
    }
    let along = ExplodeAlong::ALL.map(|along| choice(along, along.name(), ""));
    let hover = "In which direction bodies are moved apart";
    if let Some(along) = choose(ui, ("Apart along", hover), &state.view.explode.along, along) {
        state.view.explode.along = along;
    }
    let with = ContactsWith::ALL.map(|with| choice(with, with.name(), with_summary(with)));
    let hover = "With which body contacts are drawn while bodies are apart";
    if let Some(with) = choose(ui, ("Contacts with", hover), &state.view.contacts_with, with) {
        state.view.contacts_with = with;
    }
}

fn choice<T>(value: T, name: &str, summary: &str) -> Choice<T> {
    Choice { value, name: name.to_owned(), summary: summary.to_owned() }
}

fn body_summary(style: BodyStyle) -> &'static str {
    match style {
        BodyStyle::Solid => "shaded",
        BodyStyle::SolidEdges => "shaded, with the edges of the shape",
        BodyStyle::Wireframe => "all edges of the triangulation, as in the paper",
        BodyStyle::Hidden => "only contacts",
    }
}

fn colour_summary(by: ColourBy) -> &'static str {
    match by {
        ColourBy::Plain => "all blue, as in the paper",
        ColourBy::Quality => "how well the normal agrees with an expected one",
        ColourBy::Method => "the method that found it",
        ColourBy::FeaturePair => "the kinds of the two features that it comes from",
        ColourBy::Verdict => "what the normal-cone filter says of it",
        ColourBy::Gap => "penetration red, apart blue",
        ColourBy::Force => "the size of the force",
    }
}

fn show_summary(show: Show) -> &'static str {
    match show {
        Show::All => "all that were found",
        Show::Kept => "those that the normal-cone filter keeps",
        Show::Doubtful => "those that it rejects or merges, and those with a wrong normal",
    }
}

fn with_summary(with: ContactsWith) -> &'static str {
    match with {
        ContactsWith::Both => "once with each, and a line between the two",
        ContactsWith::A => "with the first of the two bodies",
        ContactsWith::B => "with the second of the two bodies",
        ContactsWith::Between => "half-way between",
    }
}

fn marks(ui: &mut Ui, state: &mut State) {
    ui.label("Marks");
    ui.horizontal(|ui| {
        let view = &mut state.view;
        ui.checkbox(&mut view.points, "Points").on_hover_text("Contact points as small spheres");
        ui.checkbox(&mut view.normals, "Normals").on_hover_text("Contact normals as arrows, from A to B");
        ui.checkbox(&mut view.polygons, "Polygons").on_hover_text("The areas in which facets touch (semi-local only)");
    });
    ui.end_row();
    ui.label("");
    ui.horizontal(|ui| {
        let view = &mut state.view;
        let hover = "Measures how far bodies are in each other in the step that is shown, by their surfaces and not by contacts";
        ui.checkbox(&mut view.overlap, "Overlap").on_hover_text(hover);
        ui.checkbox(&mut view.legend, "Legend").on_hover_text("What the colours mean, in a corner of the view");
        let mut is_help = view.help;
        if ui.checkbox(&mut is_help, "Help").on_hover_text("All keys and what the mouse does (F1 or ?)").changed() {
            state.apply(Command::Help);
        }
    });
    ui.end_row();
}

fn sizes(ui: &mut Ui, state: &mut State) {
    let view = &mut state.view;
    let apart = Slider::new(&mut view.explode.amount, 0.0..=State::MOST_EXPLODED).fixed_decimals(2);
    slider(ui, "Apart", apart, "Moves bodies apart, so that one sees what is between them (Up, Down)");
    let points = Slider::new(&mut view.point_size, SIZES).logarithmic(true).fixed_decimals(2);
    slider(ui, "Point size", points, "By the usual size");
    let normals = Slider::new(&mut view.normal_size, SIZES).logarithmic(true).fixed_decimals(2);
    slider(ui, "Normal size", normals, "By the usual length");
}

fn slider(ui: &mut Ui, name: &str, slider: Slider<'_>, hover: &str) -> Response {
    let label = ui.label(name);
    let response = ui.add(slider).labelled_by(label.id).on_hover_text(hover);
    ui.end_row();
    response
}
