//! The labs that this binary carries: handout, skeleton and tests of each, as `build.rs` has packed them. No solution is among them.
//! Everything follows from the folders under `labs/`: a lab is a folder with a skeleton, its name is the part before the first hyphen.

use crate::commands::new::sources;
use foresee_session::{Code, Diagnostic};
use std::path::PathBuf;

/// One lab, as students get it.
pub(super) struct Kit {
    /// `lab1`.
    pub(super) id: String,
    /// `lab1-exactly-once`.
    folder: String,
    pub(super) handout: String,
    /// The skeleton's files, relative to the new folder.
    pub(super) skeleton: Vec<(String, String)>,
}

/// Every lab, by name.
pub(super) fn all() -> Vec<Kit> {
    let files = sources::unpacked();
    let text = |content: &[u8]| String::from_utf8(content.to_vec()).expect("sources are text");
    let handouts = files.iter().filter_map(|(name, content)| {
        let folder = name.strip_prefix("labs/")?.strip_suffix("/README.md")?;
        let id = folder.split('-').next()?.to_owned();
        let inside = format!("labs/{folder}/skeleton/");
        let skeleton = files.iter().filter_map(|(name, content)| {
            Some((name.strip_prefix(&inside)?.to_owned(), text(content)))
        });
        let folder = folder.to_owned();
        Some(Kit { id, skeleton: skeleton.collect(), handout: text(content), folder })
    });
    let mut kits: Vec<Kit> = handouts.collect();
    kits.sort_by(|a, b| a.id.cmp(&b.id));
    kits
}

/// The lab of this name; an error says which there are.
pub(super) fn named(id: &str) -> Result<Kit, Diagnostic> {
    let kits = all();
    let known: Vec<String> = kits.iter().map(|kit| kit.id.clone()).collect();
    kits.into_iter().find(|kit| kit.id == id).ok_or_else(|| {
        Diagnostic::new(Code::UnknownSystem, format!("there is no lab `{id}`"))
            .help(format!("the labs are {}", known.join(", ")))
    })
}

impl Kit {
    /// The title of the handout: `exactly once`.
    pub(super) fn title(&self) -> String {
        let first = self.handout.lines().next().unwrap_or_default();
        first.split_once(": ").map_or(first, |(_, title)| title).to_owned()
    }

    /// The files that a student writes: everything of the skeleton's sources but the command line.
    pub(super) fn written_by_students(&self) -> Vec<&str> {
        let names = self.skeleton.iter().map(|(name, _)| name.as_str());
        names.filter(|name| name.ends_with(".rs") && *name != "src/main.rs").collect()
    }

    /// The name of the lab's crate in Rust: `foresee_lab1`.
    pub(super) fn crate_name(&self) -> String {
        format!("foresee_{}", self.id)
    }

    /// Where the lab's tests lie beside a student's folder.
    pub(super) fn path_of_lab(&self) -> String {
        format!("{}/labs/{}", sources::FOLDER, self.folder)
    }

    /// The modules of a solution and the expression that makes one, as the skeleton's `main.rs` has them.
    pub(super) fn main_parts(&self) -> Result<(Vec<String>, String), Diagnostic> {
        let main = self.skeleton.iter().find(|(name, _)| name == "src/main.rs");
        let text = main.map_or("", |(_, text)| text.as_str());
        let module = |line: &str| Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned());
        let modules: Vec<String> = text.lines().filter_map(module).collect();
        let call = format!("{}::lab(", self.crate_name());
        let solution = text.split_once(&call).and_then(|(_, rest)| rest.split_once(")).run()"));
        match solution {
            Some((solution, _)) if !modules.is_empty() => Ok((modules, solution.to_owned())),
            _ => Err(Diagnostic::new(
                Code::OptionDoesNotApply,
                format!("the skeleton of {} has no `main` that can be graded", self.id),
            )),
        }
    }

    /// A student's folder, without the library beside it.
    pub(super) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let own = [
            ("Cargo.toml", self.manifest()),
            ("README.md", self.handout.clone()),
            (".gitignore", "/target\n/traces\n".to_owned()),
        ];
        let own = own.map(|(name, text)| (PathBuf::from(name), text.into_bytes()));
        let skeleton = self.skeleton.iter();
        // Solutions see the node API alone, here as where they are graded; the command line is our affair.
        let text_of = |name: &str, text: &str| match name {
            "src/main.rs" => text.replace(" foresee::labs::cli", " foresee_tool::labs::cli"),
            _ => text.to_owned(),
        };
        let skeleton =
            skeleton.map(|(name, text)| (PathBuf::from(name), text_of(name, text).into_bytes()));
        let lock = (PathBuf::from("Cargo.lock"), sources::file("Cargo.lock"));
        own.into_iter().chain(skeleton).chain([lock]).collect()
    }

    fn manifest(&self) -> String {
        let vendor = sources::FOLDER;
        let Kit { id, .. } = self;
        let lab = self.path_of_lab();
        format!(
            r#"# The folder of a lab. Your grader takes the files that the handout names and brings its own copy of this one.
[package]
name = "{id}"
version = "0.1.0"
edition = "2024"
publish = false

[package.metadata.foresee-lab]
lab = "{id}"

[dependencies]
# What a solution is written against.
foresee = {{ package = "foresee-nodes", path = "{vendor}/crates/nodes" }}
foresee-{id} = {{ path = "{lab}", default-features = false }}
serde = {{ version = "1", features = ["derive"] }}
# The command line.
foresee-tool = {{ package = "foresee", path = "{vendor}/crates/foresee", default-features = false, features = ["debugger", "labs", "runtime"] }}

[lints.rust]
unsafe_code = "forbid"

# Tests explore many states, so the library is optimised; your own code is compiled often, so it is optimised less.
[profile.release]
opt-level = 1
debug = "line-tables-only"

[profile.release.package."*"]
opt-level = 2

# A crate of its own, wherever its folder lies.
[workspace]
exclude = ["vendor"]
"#
        )
    }
}
