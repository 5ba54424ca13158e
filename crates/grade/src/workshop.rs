//! Where solutions are compiled: the library and the lab's tests, built once, and the two calls of the compiler that make a program of a
//! solution. No cargo is involved in those, so no manifest, build script or setting of a student's can have any effect.
//! Two steps: the student's files become a library, in a cell that holds nothing of ours but compiled crates; our `main`, with the
//! teacher's own tests if there are any, is compiled in another cell and linked to it.

use crate::Submission;
use crate::cell::system_folders;
use crate::outside::{Ended, Limits, Mount, Spec, run};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What is needed to make a workshop.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The binary that can be a cell.
    pub cell: PathBuf,
    /// A folder with a crate whose dependencies are what solutions are linked with.
    pub folder: PathBuf,
    /// The dependencies that students' code sees: `foresee`, `foresee_lab1`, `serde`.
    pub for_students: Vec<String>,
    /// The crate of the lab, and the expression that makes a solution: `rpc::Solution::default()`.
    pub lab: String,
    pub solution: String,
    /// The modules of a solution: `rpc`, `store`.
    pub modules: Vec<String>,
    /// The teacher's own tests.
    pub hidden: Option<String>,
    pub is_closed: bool,
}

/// A workshop that is ready.
pub struct Workshop {
    pub(crate) plan: Plan,
    rustc: PathBuf,
    sysroot: PathBuf,
    linker: PathBuf,
    dependencies: PathBuf,
    crates: BTreeMap<String, PathBuf>,
}

/// Why there is none.
#[derive(Debug)]
pub struct WorkshopError(pub String);

impl fmt::Display for WorkshopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What students' code is compiled with. Optimised a little: tests explore many states, and each solution is compiled once.
const OPTIMISED: &str = "opt-level=1";

impl Workshop {
    /// Builds the library with cargo, or finds it built.
    pub fn new(plan: Plan) -> Result<Self, WorkshopError> {
        let crates = built(&plan.folder)?;
        let of_rustc = |words: &[&str]| -> Result<PathBuf, WorkshopError> {
            let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let output = Command::new(rustc).args(words).output();
            let output = output.map_err(|error| WorkshopError(format!("rustc: {error}")))?;
            Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
        };
        let sysroot = of_rustc(&["--print", "sysroot"])?;
        let linker = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .map(|folder| folder.join("cc"))
            .find_map(|file| file.canonicalize().ok())
            .ok_or_else(|| WorkshopError("there is no linker `cc` on the path".to_owned()))?;
        let first = crates.values().next();
        let dependencies = first.and_then(|file| file.parent()).map(Path::to_owned);
        let dependencies =
            dependencies.ok_or_else(|| WorkshopError("the library was not built".to_owned()))?;
        Ok(Workshop {
            rustc: sysroot.join("bin/rustc"),
            plan,
            sysroot,
            linker,
            dependencies,
            crates,
        })
    }

    /// Compiles a solution in a folder of its own: `Ok` is the program, `Err` what the compiler said.
    pub(crate) fn compile(
        &self,
        submission: &Submission,
        desk: &Path,
    ) -> std::io::Result<(Result<PathBuf, Ended>, Vec<Ended>)> {
        let (source, ours, out) = (desk.join("solution"), desk.join("ours"), desk.join("out"));
        for folder in [&source.join("src"), &ours, &out] {
            std::fs::create_dir_all(folder)?;
        }
        open_to_all(&out)?;
        for (name, text) in &submission.files {
            let file = source.join(name);
            std::fs::create_dir_all(file.parent().expect("a folder"))?;
            std::fs::write(file, text)?;
        }
        std::fs::write(source.join("src/lib.rs"), self.root_of_solution())?;
        std::fs::write(ours.join("main.rs"), self.main())?;
        if let Some(hidden) = &self.plan.hidden {
            std::fs::write(ours.join("hidden.rs"), hidden)?;
        }
        let solution = self.first_step(desk, &source, &out);
        if solution.how != crate::How::Exit(0) {
            return Ok((Err(solution.clone()), vec![solution]));
        }
        let program = self.second_step(desk, &ours, &out);
        let steps = vec![solution, program.clone()];
        match program.how {
            crate::How::Exit(0) => Ok((Ok(out.join("graded")), steps)),
            _ => Ok((Err(program), steps)),
        }
    }

    fn root_of_solution(&self) -> String {
        let modules = self.plan.modules.iter().map(|module| format!("pub mod {module};\n"));
        modules.collect()
    }

    fn main(&self) -> String {
        let Plan { lab, solution, hidden, .. } = &self.plan;
        let (module, more) = match hidden {
            Some(_) => ("mod hidden;\n", format!("hidden::tests(lab, ::solution::{solution})")),
            None => ("", "lab".to_owned()),
        };
        format!(
            "{module}fn main() -> std::process::ExitCode {{\n    ::foresee_grade::inside(|| {{\n        \
             let lab = ::{lab}::lab(::solution::{solution});\n        {more}\n    }})\n}}\n"
        )
    }

    /// The student's files, and of ours only what is compiled.
    fn first_step(&self, desk: &Path, source: &Path, out: &Path) -> Ended {
        let mut words = self.words("solution", "rlib", "src/lib.rs", out, &self.plan.for_students);
        words.extend(["-F", "unsafe_code"].map(str::to_owned));
        run(&self.plan.cell, &self.spec(desk, source, out, words))
    }

    fn second_step(&self, desk: &Path, ours: &Path, out: &Path) -> Ended {
        let names: Vec<String> = self.crates.keys().cloned().collect();
        let mut words = self.words("graded", "bin", "main.rs", out, &names);
        let solution = self.seen(out, "/cell/out").join("libsolution.rlib");
        words.extend(["--extern".to_owned(), format!("solution={}", solution.display())]);
        words.extend(["-C".to_owned(), format!("linker={}", self.linker.display())]);
        // The linker that comes with the compiler looks for itself in /proc, which a cell has not; the system's does not.
        if cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
            words.extend(["-C", "linker-features=-lld"].map(str::to_owned));
        }
        run(&self.plan.cell, &self.spec(desk, ours, out, words))
    }

    fn words(
        &self,
        name: &str,
        kind: &str,
        root: &str,
        out: &Path,
        externs: &[String],
    ) -> Vec<String> {
        let dependencies = self.seen(&self.dependencies, "/cell/library");
        let mut words: Vec<String> = [
            "--crate-name",
            name,
            "--crate-type",
            kind,
            "--edition",
            "2024",
            "--color",
            "never",
            "-C",
            OPTIMISED,
            "-C",
            "codegen-units=4",
            root,
            "--out-dir",
        ]
        .map(str::to_owned)
        .into();
        words.push(self.seen(out, "/cell/out").display().to_string());
        words.extend(["--sysroot".to_owned(), self.sysroot.display().to_string()]);
        words.extend(["-L".to_owned(), format!("dependency={}", dependencies.display())]);
        for name in externs {
            let Some(file) = self.crates.get(name).and_then(|file| file.file_name()) else {
                continue;
            };
            let file = dependencies.join(file);
            words.extend(["--extern".to_owned(), format!("{name}={}", file.display())]);
        }
        words
    }

    fn spec(&self, desk: &Path, work: &Path, out: &Path, words: Vec<String>) -> Spec {
        let mount = |outside: &Path, inside: &str| Mount {
            outside: outside.to_owned(),
            inside: inside.into(),
        };
        let mut read_only = system_folders();
        read_only.push(Mount { outside: self.sysroot.clone(), inside: self.sysroot.clone() });
        read_only.push(mount(&self.dependencies, "/cell/library"));
        read_only.push(mount(work, "/cell/work"));
        let bin = self.linker.parent().unwrap_or(Path::new("/usr/bin")).display().to_string();
        Spec {
            root: desk.join("root"),
            read_only,
            writable: vec![mount(out, "/cell/out")],
            working_folder: self.seen(work, "/cell/work"),
            program: self.rustc.clone(),
            words,
            environment: vec![
                ("PATH".to_owned(), format!("{bin}:/usr/bin:/bin")),
                // The compiler finds its libraries beside itself by /proc, too.
                ("LD_LIBRARY_PATH".to_owned(), self.sysroot.join("lib").display().to_string()),
                ("TMPDIR".to_owned(), self.seen(out, "/tmp").display().to_string()),
            ],
            input: String::new(),
            limits: Limits {
                cpu_s: 300,
                memory: 8 << 30,
                file: 1 << 30,
                processes: 256,
                wall: Duration::from_secs(1_800),
            },
            is_closed: self.plan.is_closed,
            status: desk.join("status"),
        }
    }

    /// Where something is seen from inside.
    pub(crate) fn seen(&self, outside: &Path, inside: &str) -> PathBuf {
        if self.plan.is_closed { inside.into() } else { outside.to_owned() }
    }
}

/// Whoever is nobody in a cell must be able to write there. The folder above is ours alone.
pub(crate) fn open_to_all(folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777))?;
    }
    let _ = folder;
    Ok(())
}

/// The compiled crates of the workshop's manifest, by the names in Rust. Without a network if that is possible.
fn built(folder: &Path) -> Result<BTreeMap<String, PathBuf>, WorkshopError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = |more: &[&str]| {
        Command::new(&cargo)
            .args(["build", "--release", "--message-format=json"])
            .args(more)
            .current_dir(folder)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTFLAGS")
            .output()
            .map_err(|error| WorkshopError(format!("cargo does not start: {error}")))
    };
    let mut output = build(&["--offline"])?;
    if !output.status.success() {
        output = build(&[])?;
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(WorkshopError(format!("the library does not build: {said}")));
    }
    let mut crates = BTreeMap::new();
    for line in output.stdout.split(|byte| *byte == b'\n') {
        let Ok(message) = serde_json::from_slice::<serde_json::Value>(line) else { continue };
        let name = message["target"]["name"].as_str().map(|name| name.replace('-', "_"));
        let files = message["filenames"].as_array().into_iter().flatten();
        let file = files.filter_map(|file| file.as_str()).find(|file| file.ends_with(".rlib"));
        if let (Some(name), Some(file)) = (name, file) {
            crates.insert(name, PathBuf::from(file));
        }
    }
    let wanted = std::fs::read_to_string(folder.join("externs"))
        .map_err(|error| WorkshopError(format!("externs: {error}")))?;
    let mut named = BTreeMap::new();
    for line in wanted.lines() {
        let Some((name, package)) = line.split_once(' ') else { continue };
        let file = crates.get(package);
        let file = file.ok_or_else(|| WorkshopError(format!("{package} was not built")))?;
        named.insert(name.to_owned(), file.clone());
    }
    Ok(named)
}
