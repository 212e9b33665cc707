//! What the paper says of wall and arch in words, not in a table (K. Erleben, ACM TOG 37(3), 2018, sections 8.2 and
//! 8.3), and the minimal number of contacts of the pillar.

/// The minimal number of contacts of the pillar (figure 6), by which its excess is counted.
pub const PILLAR_MINIMUM: usize = 40;

/// The share of right normals in per cent that the text gives, from "20% … incorrect", "not a single", "approximately
/// 30% bad", "closer to 50% incorrect".
pub fn quality_in_words(scene: &str, method: &str) -> Option<f64> {
    match (scene, method) {
        ("wall", "closest-points") => Some(80.0),
        ("wall", "most-opposing") => Some(100.0),
        ("arch", "closest-points") => Some(70.0),
        ("arch", "most-opposing") => Some(50.0),
        _ => None,
    }
}
