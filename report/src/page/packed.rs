//! Lists of numbers as base64 of their little-endian bytes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec3;

/// Numbers of 32 bits; what is too large for them becomes infinite, what is no number stays none.
pub fn singles(values: impl IntoIterator<Item = f64>) -> String {
    encode(values.into_iter().flat_map(|value| (value as f32).to_le_bytes()))
}

/// Three numbers of 32 bits each.
pub fn vectors(values: impl IntoIterator<Item = DVec3>) -> String {
    singles(values.into_iter().flat_map(|value| value.to_array()))
}

/// Whole numbers of 32 bits.
pub fn counts(values: impl IntoIterator<Item = u32>) -> String {
    encode(values.into_iter().flat_map(u32::to_le_bytes))
}

/// Whole numbers of 8 bits.
pub fn small(values: impl IntoIterator<Item = u8>) -> String {
    encode(values.into_iter())
}

fn encode(bytes: impl Iterator<Item = u8>) -> String {
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        let bytes = |text: &str| STANDARD.decode(text).unwrap();
        let read: Vec<f32> = bytes(&vectors([DVec3::new(1.5, -2.0, f64::NAN), DVec3::splat(1e300)]))
            .chunks(4)
            .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
            .collect();
        assert_eq!((read[0], read[1], read[3]), (1.5, -2.0, f32::INFINITY));
        assert!(read[2].is_nan() && read.len() == 6);
        assert_eq!(bytes(&counts([1, u32::MAX])), [1, 0, 0, 0, 255, 255, 255, 255]);
        assert_eq!(bytes(&small([7, 255])), [7, 255]);
        assert_eq!(singles([]), "");
    }
}
