//! What is being typed about the next run.

use drystone_report::inspection::{Request, What};
use drystone_scenes::opening::OpenError;

/// What is being typed about the next run, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The run that it began from.
    pub of: Request,
    /// The path of a file.
    pub path: String,
    /// Empty: as the scene says.
    pub size: String,
    /// s; empty: as the scene says.
    pub time_step: String,
    /// m; empty: none.
    pub perturbation: String,
    /// The seed of the perturbation.
    pub seed: String,
    /// What is wrong with the path.
    pub path_problem: Option<String>,
    /// What is wrong with the numbers.
    pub problem: Option<String>,
}

impl Draft {
    /// Of a run.
    pub fn new(of: &Request) -> Self {
        let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let path = match &of.what {
            What::BuiltIn(_) | What::Surfaces(_) => String::new(),
            What::SceneFile(path) | What::RigidIpc(path) | What::KinematicTree(path) | What::Recording(path) => {
                path.display().to_string()
            }
        };
        Self {
            path,
            size: text(of.size),
            time_step: text(of.time_step),
            perturbation: text(of.perturbation.map(|(metres, _)| metres)),
            seed: of.perturbation.map_or(1, |(_, seed)| seed).to_string(),
            path_problem: None,
            problem: None,
            of: of.clone(),
        }
    }

    /// The run with another scene. What belongs to the one before is forgotten.
    pub fn with_scene(&self, what: What) -> Request {
        Request { what, size: None, time_step: None, ..self.of.clone() }
    }

    /// The run with the file of the path.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    pub fn with_path(&self) -> Result<Request, OpenError> {
        Ok(self.with_scene(self.path.trim().parse()?))
    }

    /// The run with the numbers that were typed.
    ///
    /// # Errors
    /// One is no number, or makes no sense; in words.
    pub fn with_numbers(&self) -> Result<Request, String> {
        let perturbation = number("Perturbation", &self.perturbation)?;
        let seed = perturbation.map(|metres| match self.seed.trim().parse() {
            Ok(seed) => Ok((metres, seed)),
            Err(_) => Err(format!("Seed: \"{}\" is no whole number from 0", self.seed.trim())),
        });
        Ok(Request {
            size: number("Size", &self.size)?,
            time_step: number("Time step", &self.time_step)?,
            perturbation: seed.transpose()?,
            ..self.of.clone()
        })
    }
}

fn number(name: &str, text: &str) -> Result<Option<f64>, String> {
    let text = text.trim();
    match text.parse::<f64>() {
        _ if text.is_empty() => Ok(None),
        Ok(value) if value.is_finite() && value > 0.0 => Ok(Some(value)),
        Ok(_) => Err(format!("{name}: \"{text}\" must be above zero")),
        Err(_) => Err(format!("{name}: \"{text}\" is no number; leave it empty for the scene's own")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> Draft {
        Draft::new(&Request::new("spikes".parse().unwrap()))
    }

    #[test]
    fn what_is_typed_becomes_a_request() {
        let typed = Draft { size: " 2 ".into(), time_step: "1e-3".into(), ..draft() };
        let request = typed.with_numbers().unwrap();
        assert_eq!((request.size, request.time_step, request.perturbation), (Some(2.0), Some(1e-3), None));
        let shaken = Draft { perturbation: "0.01".into(), seed: "7".into(), ..draft() }.with_numbers().unwrap();
        assert_eq!(shaken.perturbation, Some((0.01, 7)));
        assert_eq!(Draft::new(&shaken).with_numbers(), Ok(shaken));
        assert_eq!(typed.with_scene("wall".parse().unwrap()).size, None);
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        let problem = |draft: Draft| draft.with_numbers().unwrap_err();
        assert!(problem(Draft { size: "-1".into(), ..draft() }).starts_with("Size"));
        assert!(problem(Draft { time_step: "fast".into(), ..draft() }).contains("\"fast\""));
        assert!(problem(Draft { time_step: "inf".into(), ..draft() }).starts_with("Time step"));
        let seed = Draft { perturbation: "1".into(), seed: "x".into(), ..draft() };
        assert!(problem(seed).starts_with("Seed"));
        assert!(Draft { path: "no/such/file.toml".into(), ..draft() }.with_path().is_err());
    }
}
