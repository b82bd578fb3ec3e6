//! Parses a sequential probability ratio test as users write it: `elo0=0,elo1=10,alpha=0.05`.

use ludion_players::arena::sprt::{EloScale, Sprt};

/// Parses a test; `alpha` and `beta` default to 0.05, `model` to logistic.
///
/// # Errors
/// A message that says what is wrong with the text and what is allowed.
pub fn parse(text: &str) -> Result<Sprt, String> {
    let mut test =
        Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: EloScale::Logistic };
    for part in text.split(',').map(str::trim) {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("{part:?} is not of the form name=value"))?;
        let number = || value.parse::<f64>().ok().filter(|v| v.is_finite());
        let is_error_rate = |v: &f64| (0.0..0.5).contains(v) && *v > 0.0;
        let parsed = match name {
            "elo0" => number().map(|v| test.elo0 = v),
            "elo1" => number().map(|v| test.elo1 = v),
            "alpha" => number().filter(is_error_rate).map(|v| test.alpha = v),
            "beta" => number().filter(is_error_rate).map(|v| test.beta = v),
            "model" => parse_model(value).map(|v| test.model = v),
            _ => {
                return Err(format!(
                    "a test has no {name:?}; it has elo0, elo1, alpha, beta, model"
                ));
            }
        };
        parsed.ok_or_else(|| {
            format!("{name} = {value} is not allowed; elo0 and elo1 are numbers, alpha and beta between 0 and 0.5, model normalised or logistic")
        })?;
    }
    if test.elo0 < test.elo1 {
        Ok(test)
    } else {
        Err("a test needs elo0 and elo1, elo0 the smaller".to_owned())
    }
}

fn parse_model(name: &str) -> Option<EloScale> {
    match name {
        "normalised" | "normalized" => Some(EloScale::Normalised),
        "logistic" => Some(EloScale::Logistic),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_parsed_with_defaults_and_refused_with_a_reason() {
        let test = parse("elo0=0, elo1=10,model=normalized").unwrap();
        assert_eq!((test.elo0, test.elo1), (0.0, 10.0));
        assert_eq!((test.alpha, test.model), (0.05, EloScale::Normalised));
        for (text, reason) in [
            ("", "not of the form name=value"),
            ("elo0=0", "needs elo0 and elo1"),
            ("elo0=5,elo1=0", "elo0 the smaller"),
            ("elo0=0,elo1=nan", "elo1 = nan is not allowed"),
            ("elo0=0,elo1=5,alpha=0.9", "alpha = 0.9 is not allowed"),
            ("elo0=0,elo1=5,gamma=1", "a test has no \"gamma\""),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
