//! How different two pictures look.
//!
//! Rasterisers place edges a fraction of a pixel differently on different machines, so single pixels say nothing. Both pictures
//! are averaged over blocks of 4 × 4 pixels in linear light, blocks become CIELAB colours (D65), and the difference of a block is
//! the distance ΔE between its two colours; about 2 can just be seen, black and white are 100 apart.

use image::RgbImage;

/// The side of a block, pixels.
const BLOCK: u32 = 4;
/// A block that differs by more can be seen to differ, ΔE.
pub const SEEN: f64 = 6.0;

/// How different two pictures look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The mean over all blocks, ΔE.
    pub mean: f64,
    /// The share of blocks that differ by more than [`SEEN`], 0…1.
    pub share: f64,
}

impl Difference {
    /// Of two pictures of one size.
    pub fn between(p: &RgbImage, q: &RgbImage) -> Self {
        assert_eq!(p.dimensions(), q.dimensions(), "pictures of one size");
        let distances: Vec<f64> = blocks(p).iter().zip(&blocks(q)).map(|(p, q)| distance(*p, *q)).collect();
        let count = distances.len() as f64;
        Self {
            mean: distances.iter().sum::<f64>() / count,
            share: distances.iter().filter(|d| **d > SEEN).count() as f64 / count,
        }
    }
}

fn distance(p: [f64; 3], q: [f64; 3]) -> f64 {
    p.iter().zip(q).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The colours of the blocks, CIELAB.
fn blocks(picture: &RgbImage) -> Vec<[f64; 3]> {
    let (width, height) = (picture.width() / BLOCK, picture.height() / BLOCK);
    let block = |k: u32| {
        let (x, y) = (BLOCK * (k % width), BLOCK * (k / width));
        let mut sum = [0.0; 3];
        for pixel in (0..BLOCK * BLOCK).map(|k| picture.get_pixel(x + k % BLOCK, y + k / BLOCK)) {
            (0..3).for_each(|c| sum[c] += linear(pixel.0[c]));
        }
        lab(sum.map(|s| s / f64::from(BLOCK * BLOCK)))
    };
    (0..width * height).map(block).collect()
}

fn linear(value: u8) -> f64 {
    let v = f64::from(value) / 255.0;
    if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

/// From linear sRGB.
fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883;
    let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    [116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))]
}
