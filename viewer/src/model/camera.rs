//! From where one looks.

use std::fmt;
use std::str::FromStr;

/// From where one looks: an orbit around what is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Around the upward axis, degrees; 0 looks along −z, 90 along −x.
    pub yaw: f64,
    /// Above the horizon, degrees; 90 looks straight down.
    pub pitch: f64,
    /// 1: all bodies just fit into the picture; 2: twice as near.
    pub zoom: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { yaw: 35.0, pitch: 20.0, zoom: 1.0 }
    }
}

/// A camera that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the camera is \"{0}\"; it must be YAW,PITCH or YAW,PITCH,ZOOM: degrees, and a zoom above zero (35,20,1)")]
pub struct CameraError(String);

impl FromStr for Camera {
    type Err = CameraError;

    fn from_str(text: &str) -> Result<Self, CameraError> {
        let error = || CameraError(text.into());
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        match numbers.map_err(|_| error())?[..] {
            [yaw, pitch] if yaw.is_finite() && pitch.is_finite() => Ok(Self { yaw, pitch, ..Self::default() }),
            [yaw, pitch, zoom] if yaw.is_finite() && pitch.is_finite() && zoom.is_finite() && zoom > 0.0 => {
                Ok(Self { yaw, pitch, zoom })
            }
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Camera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.yaw, self.pitch, self.zoom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_are_read_or_refused() {
        assert_eq!("90, -5".parse(), Ok(Camera { yaw: 90.0, pitch: -5.0, zoom: 1.0 }));
        assert_eq!(Camera::default().to_string().parse(), Ok(Camera::default()));
        for wrong in ["", "1", "1,2,0", "1,2,-1", "NaN,1", "1,2,inf", "1,2,3,4", "a,b"] {
            let error = wrong.parse::<Camera>().unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("YAW,PITCH"), "{error}");
        }
    }
}
