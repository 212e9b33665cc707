//! The published curves of the coherence test. The file beside names its source.

use super::coherence::Solid;

/// One point of the published curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Both bodies.
    pub solid: Solid,
    /// Degrees a call.
    pub rate: u32,
    /// Operations a call of V-Clip.
    pub vclip: f64,
    /// Operations a call of the Lin–Canny algorithm.
    pub lin_canny: f64,
    /// Operations a call of Cameron's Enhanced GJK.
    pub enhanced_gjk: f64,
}

/// All points, solid by solid, each in the order of its rates.
pub fn published() -> Vec<Published> {
    let rows = include_str!("published.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.filter_map(parse).collect()
}

fn parse(row: &str) -> Option<Published> {
    let (name, numbers) = row.split_once(',')?;
    let solid = Solid::PUBLISHED.into_iter().find(|solid| solid.name().eq_ignore_ascii_case(name))?;
    let numbers: Vec<f64> = numbers.split(',').filter_map(|number| number.parse().ok()).collect();
    let [rate, vclip, lin_canny, enhanced_gjk] = numbers[..] else { return None };
    Some(Published { solid, rate: rate as u32, vclip, lin_canny, enhanced_gjk })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solid_has_a_point_for_every_degree() {
        let points: Vec<(Solid, u32)> = published().iter().map(|point| (point.solid, point.rate)).collect();
        let expected: Vec<(Solid, u32)> =
            Solid::PUBLISHED.into_iter().flat_map(|solid| (0..=25).map(move |rate| (solid, rate))).collect();
        assert_eq!(points, expected);
        let disk = published()[2 * 26];
        assert_eq!([disk.vclip, disk.lin_canny, disk.enhanced_gjk], [87.9, 90.0, 152.9]);
    }
}
