//! The frame of a chart: its area, grid, ticks and labels.

use maud::{Markup, html};

use super::axis::Scale;
use crate::number::coordinate;

/// An axis: how values are spread, where its ticks are and what they are called, what it shows.
pub struct Axis {
    /// From values to places.
    pub scale: Scale,
    /// Ticks with their texts.
    pub ticks: Vec<(f64, String)>,
    /// What it shows, with unit.
    pub label: String,
}

/// A chart in the making.
pub struct Plot {
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    x: Axis,
    y: Axis,
    body: Vec<Markup>,
}

impl Plot {
    /// An empty chart of a size in pixels; `right` is room for labels at the right edge.
    pub fn new(width: f64, height: f64, right: f64, x: Axis, y: Axis) -> Self {
        let longest = y.ticks.iter().map(|t| t.1.chars().count()).max().unwrap_or(0);
        let left = 10.0 + 6.2 * longest as f64;
        let mut plot = Plot { width, height, left, top: 22.0, right, bottom: 34.0, x, y, body: Vec::new() };
        plot.grid();
        plot
    }

    /// The place of a value along x, pixels.
    pub fn x(&self, value: f64) -> f64 {
        self.left + self.x.scale.place(value) * (self.width - self.left - self.right)
    }

    /// The place of a value along y, pixels.
    pub fn y(&self, value: f64) -> f64 {
        self.height - self.bottom - self.y.scale.place(value) * (self.height - self.top - self.bottom)
    }

    /// The lower end of the y axis, pixels.
    pub fn floor(&self) -> f64 {
        self.height - self.bottom
    }

    /// The right end of the x axis, pixels.
    pub fn end(&self) -> f64 {
        self.width - self.right
    }

    /// A path of a class.
    pub fn path(&mut self, class: &str, d: &str) {
        self.body.push(html! { path class=(class) d=(d) {} });
    }

    /// A filled rectangle: left, top, width and height in pixels.
    pub fn cell(&mut self, [x, y, width, height]: [f64; 4], opacity: f64) {
        let [x, y, width, height] = [x, y, width, height].map(coordinate);
        let opacity = format!("{opacity:.2}");
        self.body.push(html! { rect class="cell" x=(x) y=(y) width=(width) height=(height) fill-opacity=(opacity) {} });
    }

    /// A text of a class; `anchor` is start, middle or end.
    pub fn text(&mut self, class: &str, anchor: &str, x: f64, y: f64, text: &str) {
        let (x, y) = (coordinate(x), coordinate(y));
        self.body.push(html! { text class={ (class) " " (anchor) } x=(x) y=(y) { (text) } });
    }

    fn grid(&mut self) {
        let (mut lines, floor, end) = (String::new(), self.floor(), self.end());
        let y_ticks: Vec<(f64, String)> = self.y.ticks.iter().map(|(v, t)| (self.y(*v), t.clone())).collect();
        for (y, text) in &y_ticks {
            lines.push_str(&format!("M{} {}H{}", coordinate(self.left), coordinate(*y), coordinate(end)));
            self.text("tick", "end", self.left - 5.0, y + 3.5, text);
        }
        self.path("grid", &lines);
        let mut marks = format!("M{} {}H{}", coordinate(self.left), coordinate(floor), coordinate(end));
        let x_ticks: Vec<(f64, String)> = self.x.ticks.iter().map(|(v, t)| (self.x(*v), t.clone())).collect();
        for (x, text) in &x_ticks {
            marks.push_str(&format!("M{} {}v4", coordinate(*x), coordinate(floor)));
            self.text("tick", "middle", *x, floor + 14.0, text);
        }
        self.path("axis", &marks);
        let (x_label, y_label) = (self.x.label.clone(), self.y.label.clone());
        self.text("label", "middle", 0.5 * (self.left + end), floor + 29.0, &x_label);
        self.text("label", "start", 2.0, 10.0, &y_label);
    }

    /// The chart, with a text for who cannot see it.
    pub fn finish(self, title: &str, description: &str) -> Markup {
        svg(self.width, self.height, "chart", title, description, &html! { @for part in self.body { (part) } })
    }
}

/// An SVG of a size in pixels with title and description.
pub fn svg(width: f64, height: f64, class: &str, title: &str, description: &str, body: &Markup) -> Markup {
    let (w, h) = (coordinate(width), coordinate(height));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class=(class) viewBox={ "0 0 " (w) " " (h) } width=(w) height=(h) role="img" {
            title { (title) }
            desc { (description) }
            (body)
        }
    }
}
