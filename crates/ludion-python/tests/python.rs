//! Runs the tests of the Python package with the library that cargo has built beside this program.

use std::process::Command;

#[test]
fn the_python_package_passes_its_type_checks_and_tests() {
    let program = std::env::current_exe().expect("the path of this program");
    let library = program.with_file_name("libludion_python.so");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/run-tests");
    let output = Command::new(script).arg(library).output().expect("bash");
    let text = [output.stdout, output.stderr].concat();
    println!("{}", String::from_utf8_lossy(&text));
    assert!(output.status.success());
}
