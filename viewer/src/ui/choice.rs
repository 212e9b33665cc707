//! One of several.

use bevy_egui::egui::{ComboBox, Ui};

/// One of the things that can be chosen.
pub struct Choice<T> {
    /// It.
    pub value: T,
    /// Its name.
    pub name: String,
    /// What it is, in a sentence; may be empty.
    pub summary: String,
}

/// A row of a grid: a name, and a list to choose from. What was chosen, if it is another than `now`.
pub fn choose<T: PartialEq>(
    ui: &mut Ui,
    (label, hover): (&str, &str),
    now: &T,
    choices: impl IntoIterator<Item = Choice<T>>,
) -> Option<T> {
    let choices: Vec<Choice<T>> = choices.into_iter().collect();
    let current = choices.iter().find(|choice| choice.value == *now);
    let (name, summary) = current.map_or(("another", ""), |choice| (&choice.name, &choice.summary));
    let hover = if summary.is_empty() { hover.to_owned() } else { format!("{hover}\n{name}: {summary}") };
    let name = name.to_owned();
    let label = ui.label(label);
    let mut chosen = None;
    let list = ComboBox::from_id_salt(label.id)
        .selected_text(name)
        .width(ui.available_width().min(190.0))
        .height(420.0)
        .truncate();
    let list = list.show_ui(ui, |ui| {
        for choice in choices {
            let is_now = choice.value == *now;
            let mut response = ui.selectable_label(is_now, &choice.name);
            if !choice.summary.is_empty() {
                response = response.on_hover_text(&choice.summary);
            }
            if response.clicked() && !is_now {
                chosen = Some(choice.value);
            }
        }
    });
    list.response.labelled_by(label.id).on_hover_text(hover);
    ui.end_row();
    chosen
}

/// Choices that have a name and nothing else to say.
pub fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> Vec<Choice<T>> {
    let choice = |&value: &T| Choice { value, name: name(value).to_owned(), summary: String::new() };
    all.iter().map(choice).collect()
}
