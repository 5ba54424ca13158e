//! `cargo xtask web`: builds the debugger's page and keeps what is committed of it true.
//! The built files are committed, so that building Foresee needs no Node. Two things keep them honest: `--check` builds again
//! and compares bytes (where Node is), and `STAMP` holds a hash of what the page is built from, which `tidy` compares on
//! every machine. `ci` runs the page's tests; see `test`.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FOLDER: &str = "crates/debugger/web";
/// What the binary holds.
const BUILT: [&str; 3] = ["index.html", "app.js", "app.css"];
/// What the page is built from, beside everything below `src`.
const INPUTS: [&str; 5] =
    ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];
/// Types alone, made from the program's own: nothing of it is in what is built.
const TYPES: &str = "src/protocol.ts";
const CHROMIUM: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let web = root.join(FOLDER);
    match words {
        [] => build(&web),
        [flag] if flag == "--check" => check(&web),
        _ => bail!("`cargo xtask web` takes nothing, or --check"),
    }
}

fn build(web: &Path) -> Result<()> {
    npm_ci(web)?;
    node(web, &["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"])?;
    fs::write(web.join("dist/STAMP"), format!("{}\n", stamp(web)?))?;
    node(web, &["tests/size.mjs", "dist"])
}

/// Builds beside what is committed and compares.
fn check(web: &Path) -> Result<()> {
    if !web.join("node_modules").exists() {
        npm_ci(web)?;
    }
    let folder = std::env::temp_dir().join(format!("foresee-page-{}", std::process::id()));
    let out = folder.to_string_lossy().into_owned();
    let vite = "node_modules/vite/bin/vite.js";
    node(web, &[vite, "build", "--logLevel", "warn", "--emptyOutDir", "--outDir", &out])?;
    let same = BUILT.iter().try_for_each(|name| {
        let (built, kept) = (fs::read(folder.join(name))?, fs::read(web.join("dist").join(name))?);
        if built != kept {
            bail!("{FOLDER}/dist/{name} is not what its sources build; run `cargo xtask web`");
        }
        Ok(())
    });
    fs::remove_dir_all(&folder).ok();
    same?;
    node(web, &["tests/size.mjs", "dist"])?;
    println!("web: dist is what its sources build");
    Ok(())
}

/// For `tidy`: whether the committed page was built from the committed sources. Needs no Node.
pub(crate) fn check_stamp(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    let web = root.join(FOLDER);
    if !web.join("package.json").exists() {
        return Ok(());
    }
    let kept = fs::read_to_string(web.join("dist/STAMP")).unwrap_or_default();
    if kept.trim() != stamp(&web)? {
        problems.push(format!(
            "{FOLDER}/dist: built from other sources than are here; run `cargo xtask web`"
        ));
    }
    let lock = fs::read_to_string(web.join("package-lock.json")).unwrap_or_default();
    if lock.contains("\"resolved\"") {
        problems.push(format!(
            "{FOLDER}/package-lock.json: names hosts of a registry; install with --omit-lockfile-registry-resolved"
        ));
    }
    Ok(())
}

/// A hash (FNV-1a, 64 bits) of the paths and contents of what the page is built from; line ends do not count.
fn stamp(web: &Path) -> Result<String> {
    let mut files: Vec<PathBuf> = INPUTS.iter().map(PathBuf::from).collect();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in
            fs::read_dir(web.join(&folder)).with_context(|| folder.display().to_string())?
        {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if path == Path::new(TYPES) {
                continue;
            }
            if entry.file_type()?.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().filter(|byte| **byte != b'\r').chain(&[0]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in files {
        add(file.to_string_lossy().replace('\\', "/").as_bytes());
        add(&fs::read(web.join(&file)).with_context(|| file.display().to_string())?);
    }
    Ok(format!("{hash:016x}"))
}

/// For `ci`: the page's types, unit tests, and scenarios in a browser. With `CI=true` what is missing is installed, and not
/// being able to run is a failure, unless the registries themselves do not answer: that says nothing of this repository.
/// Elsewhere nothing is installed and a skip says what to install.
pub(crate) fn test(root: &Path) -> Result<()> {
    let web = root.join(FOLDER);
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true" || value == "1");
    if is_ci && let Some(why) = install(&web)? {
        println!("ci: web: NOT RUN: {why}");
        return Ok(());
    }
    let missing = missing(&web);
    if !missing.is_empty() {
        let words = missing.join("; ");
        if is_ci {
            bail!("the page's tests cannot run: {words}");
        }
        println!("ci: web: skipped: {words}");
        return Ok(());
    }
    check(&web)?;
    node(
        &web,
        &["node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human"],
    )?;
    node(&web, &["tests/run.mjs", "unit"])?;
    // With the features of the whole workspace, as the tests before it: then nearly all of it is built already.
    crate::cargo(root, &["build", "--quiet", "--workspace", "--bins", "--examples"])?;
    scenarios(&web)
}

/// The scenarios in a browser, once more if they fail, as `ci` does with all tests: a browser, a server and this machine's
/// load take part in them.
fn scenarios(web: &Path) -> Result<()> {
    let once = || node(web, &["tests/run.mjs", "browser"]);
    if let Err(error) = once() {
        println!("ci: web: {error:#}; once more …");
        once()?;
        println!("ci: web: UNSTEADY, the scenarios passed only when tried again");
    }
    Ok(())
}

/// What the tests need and what is not here, each with how to get it.
fn missing(web: &Path) -> Vec<String> {
    let mut missing = Vec::new();
    if !starts("node", "--version") {
        missing.push("Node 20.19 or later (apt-get install nodejs npm)".to_owned());
    }
    if !web.join("node_modules").exists() {
        missing.push(format!("Node's packages (cd {FOLDER} && npm ci)"));
    }
    if chromium().is_none() {
        missing.push("Chromium (apt-get install chromium)".to_owned());
    }
    missing
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    named.into_iter().chain(CHROMIUM.map(PathBuf::from)).find(|path| path.exists())
}

/// Installs what is missing; says why if that is not in our hands.
fn install(web: &Path) -> Result<Option<String>> {
    let mut wanted = Vec::new();
    if !starts("node", "--version") || !starts("npm", "--version") {
        wanted.extend(["nodejs", "npm"]);
    }
    if chromium().is_none() {
        wanted.push("chromium");
    }
    if !wanted.is_empty() {
        let words = wanted.join(", ");
        println!("ci: web: installing {words}");
        let patient = ["-qq", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1"];
        let update = command(Command::new("apt-get").args(patient).arg("update"));
        let mut install = Command::new("apt-get");
        install.env("DEBIAN_FRONTEND", "noninteractive").args(patient);
        install.args(["install", "-y", "--no-install-recommends"]).args(&wanted);
        if let Err(error) = update.and_then(|()| command(&mut install)) {
            return Ok(Some(format!("{words} cannot be had from the distribution ({error:#})")));
        }
    }
    if !web.join("node_modules").exists()
        && let Err(error) = npm_ci(web)
    {
        let mut ping = Command::new("npm");
        ping.args(["ping", "--fetch-timeout=10000", "--fetch-retries=0", "--loglevel=error"]);
        let is_there = command(ping.current_dir(web)).is_ok();
        if is_there {
            return Err(error.context("Node's packages cannot be installed"));
        }
        return Ok(Some(format!("the registry of Node's packages does not answer ({error:#})")));
    }
    Ok(None)
}

fn starts(program: &str, flag: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(flag).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn npm_ci(web: &Path) -> Result<()> {
    let quiet = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    let patient = ["--fetch-timeout=60000", "--fetch-retries=2"];
    command(Command::new("npm").args(quiet).args(patient).current_dir(web))
}

fn node(web: &Path, words: &[&str]) -> Result<()> {
    command(Command::new("node").args(words).current_dir(web))
}

fn command(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{name}` does not start"))?;
    if !status.success() {
        bail!("`{name}` failed ({status})");
    }
    Ok(())
}
