//! `foresee labs grade`: a class folder, one submission a folder, graded in cells.
//! Not here: cells, compiling and testing (`foresee-grade`); this is the folder of the library, the flags, and the files that come out.

use super::kit::{self, Kit};
use crate::commands::new::{no_crate, sources};
use clap::Args;
use foresee_cli::Desk;
use foresee_grade::{
    ClassReport, Conditions, Graded, Plan, Submission, Workshop, grade, is_available, listed,
    write_student,
};
use foresee_session::{Code, Diagnostic};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct Grade {
    /// The class: one folder for each student
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// The lab
    #[arg(long, value_name = "LAB")]
    lab: String,

    /// How many submissions at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// Where to write results: a folder for each student, summary.csv, statistics.csv and timing.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// A file of Rust with tests of your own: `pub fn tests<S: …>(lab: Lab, solution: S) -> Lab`; see the guide
    #[arg(long, value_name = "FILE.rs")]
    hidden: Option<PathBuf>,

    /// Where the random choices of runs come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Processor seconds for one test; a test that needs more is unfinished, not wrong
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    cpu_max: u64,

    /// MiB of memory for one submission; a test that needs more is unfinished, not wrong
    #[arg(long, value_name = "MIB", default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    memory_max: u64,

    /// Seconds on the clock for one test, the last resort [default: ten times --cpu-max]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=864_000))]
    time_max: Option<u64>,

    /// Where the library is kept that solutions are linked with, built once [default: foresee/labs in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// Run submissions with your own rights: only where they are trusted, or this machine is thrown away afterwards
    #[arg(long)]
    no_sandbox: bool,
}

pub(super) fn run(desk: &Desk<'_>, arguments: &Grade) -> Result<u8, Diagnostic> {
    let kit = kit::named(&arguments.lab)?;
    let students = students(&arguments.folder)?;
    require_apart(&arguments.folder, &arguments.out)?;
    let hidden = arguments.hidden.as_deref().map(read_hidden).transpose()?;
    let scratch = Scratch::new()?;
    let cell = std::env::current_exe().map_err(|error| cannot(format!("{error}")))?;
    if !arguments.no_sandbox {
        is_available(&cell, &scratch.path).map_err(|reason| {
            cannot(format!("submissions cannot be shut in on this machine: {reason}")).help(
                "namespaces of users are needed (sysctl kernel.unprivileged_userns_clone, or root); --no-sandbox grades without, with \
                 your own rights",
            )
        })?;
    }
    let folder = library(arguments, &kit)?;
    desk.note("building the library that solutions are linked with, unless it is there already");
    let workshop = Workshop::new(kit.plan(cell, folder, hidden, !arguments.no_sandbox)?)
        .map_err(|error| cannot(error.to_string()))?;
    let skeleton = kit.skeleton_as_submission();
    let listing = listed(&workshop, &skeleton, &scratch.desk("skeleton")).map_err(cannot)?;
    let conditions = Conditions {
        seed: arguments.seed,
        cpu_s: arguments.cpu_max,
        memory: arguments.memory_max << 20,
        wall: Duration::from_secs(arguments.time_max.unwrap_or(arguments.cpu_max * 10)),
    };
    let names = kit.written_by_students();
    let graded = in_parallel(arguments.jobs.into(), &students, |student| {
        let submission = Submission::read(&arguments.folder.join(student), student, &names);
        let place = scratch.desk(student);
        let graded = grade(&workshop, &listing, student, &submission, &conditions, &place);
        let _ = std::fs::remove_dir_all(&place);
        let mut graded = graded.map_err(|error| cannot(format!("{student}: {error}")))?;
        let folder = arguments.out.join(student);
        write_student(&folder, &mut graded).map_err(|error| not_written(&folder, &error))?;
        Ok(graded)
    })?;
    let report = ClassReport { students: &graded };
    let tables = [
        ("summary.csv", report.summary()),
        ("statistics.csv", report.statistics()),
        ("timing.csv", report.timing()),
    ];
    for (name, text) in tables {
        let file = arguments.out.join(name);
        std::fs::write(&file, text).map_err(|error| not_written(&file, &error))?;
    }
    Ok(desk.print(&told(&graded, &arguments.out)))
}

fn told(graded: &[Graded], out: &Path) -> String {
    let widest = graded.iter().map(|it| it.student.chars().count()).max().unwrap_or(0);
    let line = |it: &Graded| {
        let points = format!("{}/{}", it.results.earned(), it.results.points());
        let note = it.note.as_deref().unwrap_or_default();
        format!("{:<widest$}  {points:>9}  {note}", it.student).trim_end().to_owned() + "\n"
    };
    let lines: String = graded.iter().map(line).collect();
    format!("{lines}{} submissions graded: {}\n", graded.len(), out.display())
}

/// Calls `work` on each, so many at a time; results in the order of `items`, or the first error in that order.
fn in_parallel<T: Send>(
    jobs: usize,
    items: &[String],
    work: impl Fn(&str) -> Result<T, Diagnostic> + Sync,
) -> Result<Vec<T>, Diagnostic> {
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<T, Diagnostic>>>> =
        items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let mine = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(mine) else { break };
                    *done[mine].lock().expect("not poisoned") = Some(work(item));
                }
            });
        }
    });
    let taken = done.into_iter().map(|it| it.into_inner().expect("not poisoned"));
    taken.map(|it| it.expect("each has been worked on")).collect()
}

/// The students' folders, by name.
fn students(folder: &Path) -> Result<Vec<String>, Diagnostic> {
    let unreadable = |error: std::io::Error| {
        cannot(format!("cannot look into `{}`: {error}", folder.display()))
            .help("give the folder that holds one folder for each student")
    };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
        let Ok(name) = entry.file_name().into_string() else {
            return Err(cannot(format!("the name of {:?} is not UTF-8", entry.file_name())));
        };
        if is_folder && !name.starts_with('.') {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Err(cannot(format!("there is no submission in `{}`", folder.display()))
            .help("give the folder that holds one folder for each student"));
    }
    names.sort();
    Ok(names)
}

/// Results must not lie among submissions: they would be graded the next time.
fn require_apart(folder: &Path, out: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(out).map_err(|error| not_written(out, &error))?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (folder, out) = (real(folder), real(out));
    if out.starts_with(&folder) || folder.starts_with(&out) {
        return Err(cannot("the results would lie among the submissions")
            .help("give another folder with --out"));
    }
    Ok(())
}

fn read_hidden(file: &Path) -> Result<String, Diagnostic> {
    std::fs::read_to_string(file)
        .map_err(|error| cannot(format!("cannot read `{}`: {error}", file.display())))
}

/// The folder in which the library is built: its sources, and a crate that names what solutions are linked with.
fn library(arguments: &Grade, kit: &Kit) -> Result<PathBuf, Diagnostic> {
    let above = match &arguments.library {
        Some(folder) => folder.clone(),
        None => cache_folder().ok_or_else(|| {
            cannot("there is no cache folder: neither XDG_CACHE_HOME nor HOME is set")
                .help("give a folder with --library")
        })?,
    };
    let folder = above.join(format!("{}-{}", kit.id, env!("CARGO_PKG_VERSION")));
    // What has not changed is left alone, so that cargo builds only what has.
    let files = kit.workshop_files().into_iter().chain(sources::files());
    for (name, content) in files.chain([("externs".into(), kit.externs().into_bytes())]) {
        let file = folder.join(name);
        if std::fs::read(&file).is_ok_and(|there| there == content) {
            continue;
        }
        let parent = file.parent().expect("a file stands in a folder");
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&file, content))
            .map_err(|error| not_written(&file, &error))?;
    }
    folder.canonicalize().map_err(|error| not_written(&folder, &error))
}

fn cache_folder() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    Some(cache.join("foresee/labs"))
}

impl Kit {
    /// The name of each crate for those who are linked with it, and what it is called.
    fn externs(&self) -> String {
        let lab = self.crate_name();
        let ours =
            ["foresee_grade", "foresee_labs", "foresee_lts", "foresee_search", "foresee_stateful"];
        let same = ours.into_iter().chain(["serde", lab.as_str()]);
        let same: String = same.map(|name| format!("{name} {name}\n")).collect();
        format!("foresee foresee_nodes\n{same}")
    }

    fn workshop_files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let lab = &self.id;
        let vendor = sources::FOLDER;
        let ours = ["grade", "labs", "lts", "search", "stateful"];
        let ours: String = ours
            .map(|name| format!("foresee-{name} = {{ path = \"{vendor}/crates/{name}\" }}\n"))
            .concat();
        let manifest = format!(
            "[package]\nname = \"workshop\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\nforesee = {{ package = \"foresee-nodes\", path = \"{vendor}/crates/nodes\" }}\n{ours}\
             foresee-{lab} = {{ path = \"{}\", default-features = false }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n\n\
             [profile.release]\nopt-level = 1\n\n[workspace]\nexclude = [\"vendor\"]\n",
            self.path_of_lab(),
        );
        let lock = sources::file("Cargo.lock");
        [
            ("Cargo.toml", manifest.into_bytes()),
            ("src/lib.rs", b"//! What solutions are linked with.\n".to_vec()),
            ("Cargo.lock", lock),
        ]
        .map(|(name, content)| (PathBuf::from(name), content))
        .into()
    }

    fn plan(
        &self,
        cell: PathBuf,
        folder: PathBuf,
        hidden: Option<String>,
        is_closed: bool,
    ) -> Result<Plan, Diagnostic> {
        let (modules, solution) = self.main_parts()?;
        Ok(Plan {
            cell,
            folder,
            for_students: vec!["foresee".to_owned(), self.crate_name(), "serde".to_owned()],
            lab: self.crate_name(),
            solution,
            modules,
            hidden,
            is_closed,
        })
    }

    fn skeleton_as_submission(&self) -> Submission {
        let files = self.skeleton.iter().filter(|(name, _)| name != "src/main.rs");
        Submission {
            student: "skeleton".to_owned(),
            files: files.cloned().collect(),
            ignored: Vec::new(),
        }
    }
}

/// A folder of this process, for nobody else to see, gone at the end.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new() -> Result<Self, Diagnostic> {
        let path = std::env::temp_dir().join(format!("foresee-grade-{}", std::process::id()));
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(&path).map_err(|error| not_written(&path, &error))?;
        let path = path.canonicalize().map_err(|error| not_written(&path, &error))?;
        Ok(Scratch { path })
    }

    /// A folder for one submission, with an empty root for its cells.
    fn desk(&self, name: &str) -> PathBuf {
        let desk = self.path.join(name);
        // If it cannot be made, whatever is done there says so.
        let _ = std::fs::create_dir_all(desk.join("root"));
        desk
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn cannot(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::OptionDoesNotApply, message)
}

fn not_written(path: &Path, error: &std::io::Error) -> Diagnostic {
    no_crate(
        format!("cannot write `{}`: {error}", path.display()),
        "choose a folder that you may write to",
    )
}
