//! `cargo xtask kit`: a new user's path, from `foresee new` to a run, in an empty folder and without a network; and what building costs.
//! Why a chore and not a test: it compiles the library several times. `crates/foresee/tests/new.rs` tries what is quick.
//! The network is off in the plainest way: cargo is told so, and its home is an empty folder, so that nothing comes from a cache. What
//! is built is what `--vendored` has copied.

use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Processor seconds that a cold build may take: what is built, its features, whether released, the most.
const BUILDS: [(&str, &[&str], &str, f64); 4] = [
    ("check", &["check"], "nodes,cli", 25.0),
    ("check with runtime", &["check"], "nodes,cli,runtime", 50.0),
    ("release", &["build", "--release"], "nodes,cli", 90.0),
    ("release with runtime", &["build", "--release"], "nodes,cli,runtime", 140.0),
];

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let only_path = words.iter().any(|word| word == "--path-only");
    let folder = root.join("target/kit");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("an old trial is in the way")?;
    }
    std::fs::create_dir_all(&folder)?;
    let status = Command::new(cargo())
        .args(["build", "--bin", "foresee", "-p", "foresee"])
        .current_dir(root)
        .status()?;
    ensure!(status.success(), "the binary does not build");
    let binary = root.join("target/debug/foresee");
    let trial = Trial { home: folder.join("home"), work: folder.join("my-register") };
    std::fs::create_dir_all(&trial.home)?;
    trial.path(&binary)?;
    if only_path {
        return Ok(());
    }
    let mut is_over = false;
    for (name, words, features, most) in BUILDS {
        let (cpu, wall) = trial.cold(words, features)?;
        let verdict = if cpu <= most { "ok" } else { "TOO MUCH" };
        is_over |= cpu > most;
        println!("{name:22} {cpu:6.1} CPU s of {most:.0} ({wall:.0} s)  {verdict}");
    }
    if is_over {
        bail!("a build costs more than it may");
    }
    Ok(())
}

struct Trial {
    /// Cargo's home: empty.
    home: PathBuf,
    work: PathBuf,
}

impl Trial {
    /// The commands of the guide's chapter, one after another.
    fn path(&self, binary: &Path) -> Result<()> {
        let begin = Instant::now();
        let made = Command::new(binary)
            .args(["new", "my-register"])
            .arg(&self.work)
            .arg("--vendored")
            .status()?;
        ensure!(made.success(), "`foresee new` failed");
        let steps: [(&[&str], Option<i32>); 5] = [
            (&["test", "--quiet"], Some(0)),
            (&["run", "--quiet", "--", "check", "register"], Some(0)),
            (&["run", "--quiet", "--", "check", "register", "reads=2", "bug=hasty"], Some(1)),
            (
                &[
                    "run",
                    "--quiet",
                    "--",
                    "replay",
                    "register.1.trace",
                    "--export",
                    "tests/regression.rs",
                ],
                Some(1),
            ),
            (
                &["run", "--quiet", "--", "run", "register", "--clients", "10", "--duration", "2s"],
                Some(0),
            ),
        ];
        for (words, code) in steps {
            let since = Instant::now();
            let status = self.cargo(words).status()?;
            ensure!(status.code() == code, "cargo {words:?}: {status}");
            println!("cargo {}: {:.0} s", words.join(" "), since.elapsed().as_secs_f64());
        }
        // The exported test compiles, and fails while the mistake is there.
        let output = self.cargo(&["test", "--quiet", "--test", "regression"]).output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        ensure!(
            said.contains("the bug is back"),
            "the exported test does not tell the story:\n{said}"
        );
        println!("the whole path: {:.0} s", begin.elapsed().as_secs_f64());
        Ok(())
    }

    /// Processor and wall-clock seconds of a build with these features from an empty target folder.
    fn cold(&self, words: &[&str], features: &str) -> Result<(f64, f64)> {
        let manifest = self.work.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest)?;
        let listed: Vec<String> = features.split(',').map(|name| format!("\"{name}\"")).collect();
        let start = text.find("features = [").context("the template names features")?;
        let end = start + text[start..].find(']').context("a list ends")?;
        let changed =
            format!("{}features = [{}{}", &text[..start], listed.join(", "), &text[end..]);
        std::fs::write(&manifest, changed)?;
        let target = self.work.join("target-cold");
        let (cpu, since) = (children_cpu_seconds(), Instant::now());
        let status = self.cargo(words).args(["--quiet", "--target-dir"]).arg(&target).status()?;
        let spent = (children_cpu_seconds() - cpu, since.elapsed().as_secs_f64());
        std::fs::remove_dir_all(&target)?;
        std::fs::write(&manifest, text)?;
        ensure!(status.success(), "cargo {words:?} with {features}: {status}");
        Ok(spent)
    }

    /// Cargo in the new crate, without a network and without anything that was downloaded before.
    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = Command::new(cargo());
        command.args(words).current_dir(&self.work);
        command.env("CARGO_HOME", &self.home).env("CARGO_NET_OFFLINE", "true");
        command.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
        command
    }
}

fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Processor seconds of all children that have ended, theirs included: fields 16 and 17 of `/proc/self/stat`, in hundredths.
fn children_cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name in brackets, which may hold blanks.
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let fields: Vec<f64> = after.split_whitespace().map(|it| it.parse().unwrap_or(0.0)).collect();
    const TICKS: f64 = 100.0;
    (fields.get(13).unwrap_or(&0.0) + fields.get(14).unwrap_or(&0.0)) / TICKS
}
