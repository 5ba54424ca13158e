//! The executables of tests that cargo says it has built.

use anyhow::{Context, Result};
use serde_json::Value;
use std::path::PathBuf;

/// An executable of tests.
#[derive(Clone, Debug)]
pub(crate) struct Executable {
    pub(crate) package: String,
    /// The arguments of `cargo test` that name it.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package: cargo runs it there.
    pub(crate) folder: PathBuf,
    /// Whether it is a file of tests, and not the units of a library or a program.
    pub(crate) is_file_of_tests: bool,
}

/// Those that `cargo test --no-run --message-format=json` tells of.
pub(crate) fn told_of(output: &str) -> Result<Vec<Executable>> {
    let mut found = Vec::new();
    for line in output.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let Some(path) = message["executable"].as_str() else { continue };
        if message["profile"]["test"] != true {
            continue;
        }
        let manifest = message["manifest_path"].as_str().context("a package has a manifest")?;
        let folder =
            PathBuf::from(manifest).parent().context("a manifest has a folder")?.to_owned();
        let package = package(message["package_id"].as_str().context("a package has a name")?);
        let target = message["target"]["name"].as_str().context("a target has a name")?;
        let kind = message["target"]["kind"][0].as_str();
        let name = match kind {
            Some("test") => format!("-p {package} --test {target}"),
            Some("example") => format!("-p {package} --example {target}"),
            Some("bin") => format!("-p {package} --bin {target}"),
            _ => format!("-p {package} --lib"),
        };
        let is_file_of_tests = kind == Some("test");
        found.push(Executable { package, name, path: path.into(), folder, is_file_of_tests });
    }
    Ok(found)
}

/// The name in a package's id: `path+file:///crates/lts#foresee-lts@0.1.0`, or `path+file:///crates/lts#0.1.0` if it is its folder's.
fn package(id: &str) -> String {
    let (place, version) = id.split_once('#').unwrap_or((id, ""));
    match version.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => place.rsplit('/').next().unwrap_or(place).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tests_are_listed_by_the_words_that_name_them() {
        let artifact = |id: &str, kind: &str, name: &str, is_test: bool| {
            format!(
                r#"{{"executable":"/x/{name}","profile":{{"test":{is_test}}},"package_id":"{id}","manifest_path":"/t/crates/lts/Cargo.toml","target":{{"kind":["{kind}"],"name":"{name}"}}}}"#
            )
        };
        let lines = [
            artifact("path+file:///t/crates/lts#foresee-lts@0.1.0", "lib", "foresee_lts", true),
            artifact("path+file:///t/crates/foresee#0.1.0", "test", "run", true),
            artifact("path+file:///t/crates/foresee#0.1.0", "bin", "foresee", true),
            artifact("path+file:///t/crates/foresee#0.1.0", "bin", "foresee", false),
            "   Compiling foresee v0.1.0".to_owned(),
            r#"{"executable":null,"profile":{"test":true}}"#.to_owned(),
        ];
        let found = told_of(&lines.join("\n")).unwrap();
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(
            names,
            ["-p foresee-lts --lib", "-p foresee --test run", "-p foresee --bin foresee"]
        );
        assert_eq!(found[0].folder, PathBuf::from("/t/crates/lts"));
        assert_eq!(
            found.iter().map(|it| it.is_file_of_tests).collect::<Vec<_>>(),
            [false, true, false]
        );
    }
}
