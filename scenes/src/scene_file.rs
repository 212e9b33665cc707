//! stub
/// stub
pub fn read(_: &str) -> Result<crate::scene::Scene, std::io::Error> {
    Err(std::io::Error::other("stub"))
}
