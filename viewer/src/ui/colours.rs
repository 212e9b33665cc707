//! Colours of the model as egui has them.

use bevy_egui::egui::Color32;
use drystone::contact::generator::methods;
use drystone_report::inspection::colour::{Colouring, Legend, Rgb, colouring, on_ramp as ramp};
use drystone_report::inspection::{ColourBy, Examined};

/// What is wrong.
pub const WRONG: Color32 = Color32::from_rgb(190, 30, 20);
/// What is worth a look.
pub const NOTE: Color32 = Color32::from_rgb(150, 95, 0);

/// A colour.
pub fn colour([r, g, b]: Rgb) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// A colour of a ramp: linear between stops, constant beyond them.
pub fn on_ramp(stops: &[(f64, Rgb)], value: f64) -> Color32 {
    colour(ramp(stops, value))
}

/// The ramp of the quality of normals, whatever contacts are coloured by.
pub fn quality_ramp() -> Vec<(f64, Rgb)> {
    // It is the same for every method.
    match colouring(ColourBy::Quality, &Examined::default(), &methods::semi_local()) {
        Colouring { legend: Legend::Ramp { stops, .. }, .. } => stops,
        Colouring { legend: Legend::Names { .. }, .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_report::inspection::colour::UNKNOWN;

    #[test]
    fn a_ramp_reaches_from_its_first_stop_to_its_last() {
        let stops = [(0.0, [0, 0, 0]), (1.0, [100, 200, 50])];
        assert_eq!(on_ramp(&stops, -1.0), colour([0, 0, 0]));
        assert_eq!(on_ramp(&stops, 0.5), colour([50, 100, 25]));
        assert_eq!(on_ramp(&stops, 2.0), colour([100, 200, 50]));
        assert_eq!(on_ramp(&[], 0.0), colour(UNKNOWN));
    }

    #[test]
    fn qualities_have_a_ramp_from_nought_to_one() {
        let stops = quality_ramp();
        assert_eq!((stops.first().unwrap().0, stops.last().unwrap().0), (0.0, 1.0));
    }
}
