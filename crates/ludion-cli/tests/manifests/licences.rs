//! The licences, the bans and the sources of `deny.toml`, checked by what cargo says of the packages.
//! cargo-deny also reads the licence texts, and the packages for other systems.

use serde::Deserialize;
use serde_json::Value;

use crate::{metadata, repository};

/// The part of `deny.toml` that is checked here.
#[derive(Deserialize)]
struct DenyFile {
    licenses: LicenceRules,
    bans: BanRules,
    sources: SourceRules,
}

#[derive(Deserialize)]
struct LicenceRules {
    allow: Vec<String>,
    exceptions: Vec<LicenceException>,
}

#[derive(Deserialize)]
struct LicenceException {
    #[serde(rename = "crate")]
    package: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct BanRules {
    deny: Vec<BannedPackage>,
}

#[derive(Deserialize)]
struct BannedPackage {
    #[serde(rename = "crate")]
    package: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct SourceRules {
    allow_registry: Vec<String>,
}

impl LicenceRules {
    /// Returns whether a package may be used under its licence expression.
    fn permit(&self, package: &str, expression: &str) -> bool {
        let own = self.exceptions.iter().filter(|exception| exception.package == package);
        let allowed: Vec<&str> = own
            .flat_map(|exception| &exception.allow)
            .chain(&self.allow)
            .map(String::as_str)
            .collect();
        satisfied(expression, &allowed)
    }
}

/// Returns whether these licences satisfy an SPDX expression: `OR` (formerly `/`) binds weaker than `AND`.
/// A licence `WITH` an exception is a licence of its own.
fn satisfied(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let value = alternatives(&mut words, allowed);
    assert!(words.next().is_none(), "{expression:?} has more than an expression");
    value
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn alternatives(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut value = requirements(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        value |= requirements(words, allowed);
    }
    value
}

fn requirements(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut value = licence(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        value &= licence(words, allowed);
    }
    value
}

fn licence(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let value = alternatives(words, allowed);
        assert_eq!(words.next(), Some(")"), "a closing parenthesis");
        return value;
    }
    let mut name = words.next().expect("a licence").to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        name = format!("{name} WITH {}", words.next().expect("an exception"));
    }
    allowed.contains(&name.as_str())
}

#[test]
fn licence_expressions_are_read_by_the_rules_of_spdx() {
    let allowed = ["MIT", "Zlib"];
    for expression in ["MIT", "GPL-3.0 OR MIT", "Apache-2.0/MIT", "MIT AND (Zlib OR ISC)"] {
        assert!(satisfied(expression, &allowed), "{expression}");
    }
    for expression in ["ISC", "MIT AND ISC", "(MIT OR ISC) AND OFL-1.1", "MIT WITH LLVM-exception"]
    {
        assert!(!satisfied(expression, &allowed), "{expression}");
    }
    assert!(satisfied("ISC AND GPL-3.0 OR MIT", &allowed), "AND binds stronger");
}

#[test]
fn packages_keep_to_the_licences_bans_and_sources_of_deny_toml() {
    let text = std::fs::read_to_string(repository().join("deny.toml")).unwrap();
    let rules: DenyFile = toml::from_str(&text).unwrap();
    let metadata = metadata();
    let used = metadata["resolve"]["nodes"].as_array().unwrap();
    let used: Vec<&Value> = used.iter().map(|node| &node["id"]).collect();
    let packages = metadata["packages"].as_array().unwrap();
    let packages: Vec<&Value> =
        packages.iter().filter(|package| used.contains(&&package["id"])).collect();
    assert!(packages.len() > 250, "the list is not complete: {}", packages.len());
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        match package["license"].as_str() {
            Some(expression) if rules.licenses.permit(name, expression) => {}
            expression => wrong.push(format!("{name}: licence {expression:?}")),
        }
        if let Some(ban) = rules.bans.deny.iter().find(|ban| ban.package == name) {
            wrong.push(format!("{name}: {}", ban.reason));
        }
        // A package of the workspace has no source.
        let registries = &rules.sources.allow_registry;
        let known = |source: &str| {
            source.strip_prefix("registry+").is_some_and(|url| registries.iter().any(|r| r == url))
        };
        if package["source"].as_str().is_some_and(|source| !known(source)) {
            wrong.push(format!("{name}: source {}", package["source"]));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
