//! Numbers as text: coordinates of drawings, values for people.

/// A coordinate with one digit after the point at most. What is not finite is drawn at 0.
pub fn coordinate(x: f64) -> String {
    let rounded = if x.is_finite() { (10.0 * x).round() / 10.0 } else { 0.0 };
    // Not "-0".
    format!("{}", rounded + 0.0)
}

/// A share 0…1 in per cent with one digit.
pub fn per_cent(share: f64) -> String {
    if share.is_finite() { format!("{:.1}", 100.0 * share) } else { "–".into() }
}

/// A count with a comma before every third digit.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value in as few digits as tell it, up to six after the point.
pub fn short(x: f64) -> String {
    if !x.is_finite() {
        return "–".into();
    }
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".into() } else { text.into() }
}

/// A number of seconds for people.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "–".into();
    }
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([coordinate(1.25), coordinate(-0.01), coordinate(3.0)], ["1.3", "0", "3"]);
        assert_eq!([coordinate(f64::NAN), coordinate(f64::INFINITY)], ["0", "0"]);
        assert_eq!([count(7), count(1234), count(1_234_567)], ["7", "1,234", "1,234,567"]);
        assert_eq!([short(0.015), short(2.0), short(1e-9), short(100.0)], ["0.015", "2", "0", "100"]);
        assert_eq!([duration(3.21), duration(75.0), duration(3700.0)], ["3.2 s", "1 min 15 s", "1 h 1 min"]);
        assert_eq!(per_cent(0.6251), "62.5");
    }
}
