//! The packages that `cargo package` makes: their manifests are complete, and so are their files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::{cargo, metadata, repository};

/// Returns the packages of the workspace that can be published.
fn published() -> Vec<Value> {
    let metadata = metadata();
    let members = metadata["workspace_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let ours = packages.filter(|package| members.contains(&package["id"]));
    let packages: Vec<Value> =
        ours.filter(|package| package["publish"].is_null()).cloned().collect();
    assert!(packages.len() >= 9, "the list is not complete");
    packages
}

fn folder(package: &Value) -> PathBuf {
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn manifests_say_what_a_package_is_and_where_to_read_about_it() {
    for package in published() {
        let name = package["name"].as_str().unwrap();
        let field = |key: &str| {
            let text = package[key].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{name} has no {key}");
            text.to_owned()
        };
        assert!(!field("description").ends_with('.'), "{name}");
        assert_eq!(field("documentation"), format!("https://docs.rs/{name}"));
        assert!(field("repository").starts_with("https://"), "{name}");
        assert!(folder(&package).join(field("readme")).exists(), "{name}");
        let licence = match name {
            "ludion-plot" => "(MIT OR Apache-2.0) AND OFL-1.1",
            _ => "MIT OR Apache-2.0",
        };
        assert_eq!(field("license"), licence, "{name}");
        // What crates.io allows.
        let list = |key: &str| package[key].as_array().unwrap().len();
        assert!((1..=5).contains(&list("keywords")), "{name} has {} keywords", list("keywords"));
        assert!((1..=5).contains(&list("categories")), "{name}");
        let keywords = package["keywords"].as_array().unwrap();
        assert!(keywords.iter().all(|word| word.as_str().unwrap().len() <= 20), "{name}");
    }
}

#[test]
fn dependencies_inside_the_workspace_have_the_version_of_the_workspace() {
    let exact = format!("={}", env!("CARGO_PKG_VERSION"));
    for package in published() {
        let dependencies = package["dependencies"].as_array().unwrap();
        // A package leaves out a dependency of its tests that has no version.
        let left_out = |dependency: &Value| dependency["kind"] == "dev" && dependency["req"] == "*";
        let inside = dependencies.iter().filter(|dependency| dependency["path"].is_string());
        for inside in inside.filter(|dependency| !left_out(dependency)) {
            assert_eq!(inside["req"], exact.as_str(), "{} in {}", inside["name"], package["name"]);
        }
    }
}

#[test]
fn packages_have_their_licences_and_every_file_they_are_built_from() {
    for package in published() {
        let name = package["name"].as_str().unwrap();
        let listed = cargo(&["package", "--list", "--allow-dirty", "-p", name]);
        let listed: BTreeSet<&str> = listed.lines().collect();
        let folder = folder(&package);
        let mut needed: Vec<String> = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"]
            .map(str::to_owned)
            .to_vec();
        for part in ["src", "static", "fonts"] {
            add_files(&folder, &folder.join(part), &mut needed);
        }
        let missing: Vec<&String> =
            needed.iter().filter(|file| !listed.contains(file.as_str())).collect();
        assert_eq!(missing, Vec::<&String>::new(), "{name}");
        if name == "ludion-plot" {
            assert!(listed.contains("fonts/OFL.txt"), "the licence of the font");
        }
    }
}

/// Adds all files below a folder, as paths inside the package.
fn add_files(package: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            add_files(package, &path, files);
        } else {
            let inside = path.strip_prefix(package).unwrap().to_str().unwrap();
            files.push(inside.replace('\\', "/"));
        }
    }
}

#[test]
fn sources_include_no_file_outside_their_package() {
    for package in published() {
        let folder = folder(&package);
        let mut files = Vec::new();
        add_files(&folder, &folder.join("src"), &mut files);
        for file in files.iter().filter(|file| file.ends_with(".rs")) {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            let calls = ["include_str!(\"", "include_bytes!(\""];
            let calls = calls.into_iter().flat_map(|call| text.split(call).skip(1));
            let included = calls.filter_map(|rest| rest.split_once('"').map(|(path, _)| path));
            for path in included.filter(|path| path.starts_with("..")) {
                let start = Path::new(file).parent().unwrap();
                assert!(depth(&start.join(path)) >= 0, "{file} includes {path}");
            }
        }
    }
}

/// Returns the smallest number of folders below the start on the way along a relative path.
fn depth(path: &Path) -> i32 {
    let steps = path.components().scan(0, |depth, part| {
        *depth += if part == Component::ParentDir { -1 } else { 1 };
        Some(*depth)
    });
    steps.min().unwrap_or(0)
}

#[test]
fn licences_of_packages_are_those_of_the_repository() {
    for package in published() {
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let [own, shared] = [folder(&package), repository()].map(|f| fs::read(f.join(name)));
            assert_eq!(own.unwrap(), shared.unwrap(), "{name} of {}", package["name"]);
        }
    }
}
