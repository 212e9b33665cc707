//! Numbers as people read them.

use glam::DVec3;

/// A number with four digits that count; very large and very small ones with a power of ten.
pub fn figure(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.3e}")
    } else {
        let before = size.log10().floor() as i32;
        format!("{value:.*}", (3 - before).max(0) as usize)
    }
}

/// The size of small text, points.
pub const SMALL: f32 = 11.5;

/// The same at an axis: without noughts at its end.
pub fn short(value: f64) -> String {
    let text = figure(value);
    if text.contains('e') || !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number with its unit.
pub fn with_unit(value: f64, unit: &str) -> String {
    format!("{} {unit}", figure(value))
}

/// A number that may not be known.
pub fn known(value: Option<f64>, unit: &str) -> String {
    value.map_or_else(|| "unknown".into(), |value| with_unit(value, unit))
}

/// A share of 1, in per cent.
pub fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "unknown".into(), |value| format!("{:.1} %", 100.0 * value))
}

/// A vector; as many digits as a person can use.
pub fn vector(v: DVec3) -> String {
    let before = v.abs().max_element().max(1.0).log10().floor();
    let decimals = (4.0 - before).clamp(0.0, 4.0) as usize;
    let part = |x: f64| if x.abs() < 5e-5 { "0".to_owned() } else { format!("{x:.decimals$}") };
    format!("({}, {}, {})", part(v.x), part(v.y), part(v.z))
}

/// Memory.
pub fn memory(bytes: usize) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1024.0 { format!("{mebibytes:.1} MiB") } else { format!("{:.2} GiB", mebibytes / 1024.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(figure(0.0), "0");
        assert_eq!(figure(12.34567), "12.35");
        assert_eq!(figure(-0.012345), "-0.01235");
        assert_eq!(figure(45678.9), "45679");
        assert_eq!(figure(1.5e-7), "1.500e-7");
        assert_eq!(figure(f64::INFINITY), "inf");
        assert_eq!([0.0, 0.9, 0.999, 1.0, -0.0125, 100.0].map(short), ["0", "0.9", "0.999", "1", "-0.0125", "100"]);
        assert_eq!(short(1.2e-7), "1.200e-7");
        assert_eq!(known(None, "m"), "unknown");
        assert_eq!(share(Some(0.5)), "50.0 %");
        assert_eq!(memory(3 << 19), "1.5 MiB");
        assert_eq!(memory(3 << 29), "1.50 GiB");
        assert_eq!(vector(DVec3::new(-82964.1768, 12.0, 0.0)), "(-82964, 12, 0)");
        assert_eq!(vector(DVec3::new(1.0, -0.25, 1e-9)), "(1.0000, -0.2500, 0)");
    }
}
