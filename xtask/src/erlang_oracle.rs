//! `cargo xtask erlang-oracle`: on a machine that has Erlang, is what the corpus says still what Erlang prints, and does
//! our evaluator print the same? Also how many of the installed OTP's own sources our parser takes.
//! Expectations are files, so the tests need none of this; here the files themselves are tested. `--write` takes what
//! Erlang prints as the new expectations (read the difference).

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let writes = match words {
        [] => false,
        [word] if word == "--write" => true,
        _ => bail!("usage: cargo xtask erlang-oracle [--write]"),
    };
    let Some(release) = erlang_release() else {
        println!("erlang-oracle: Erlang is not installed here: nothing to compare with.");
        println!(
            "  Install it (Debian: `apt install erlang-base`, with `erl` and `escript` on the path) and run again."
        );
        println!("  The tests need no Erlang: `cargo test -p foresee-erlang --test oracle`.");
        return Ok(());
    };
    println!("erlang-oracle: Erlang/OTP {release}");
    if release != "25" {
        println!(
            "  the expectations were written by OTP 25: differences between releases will show"
        );
    }
    let agrees = stored_expectations(root, writes)?;
    let prelude = differential(root)?;
    let evaluator = evaluator(root)?;
    let parser = otp_sources(root, &release)?;
    if agrees && prelude && evaluator && parser {
        println!("erlang-oracle: all agree");
        return Ok(());
    }
    bail!("ours and Erlang's differ, see above")
}

/// The release of the installed Erlang.
fn erlang_release() -> Option<String> {
    let ask = "io:put_chars(erlang:system_info(otp_release)), halt().";
    let output = Command::new("erl").args(["-noshell", "-eval", ask]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether Erlang prints what the files say.
fn stored_expectations(root: &Path, writes: bool) -> Result<bool> {
    println!("erlang-oracle: the corpus on Erlang …");
    let mut script = escript(root, "regenerate.escript");
    if !writes {
        script.arg("-c");
    }
    Ok(script.status().context("escript runs")?.success())
}

/// Whether the prelude's texts do what Erlang's own modules do, by random calls.
fn differential(root: &Path) -> Result<bool> {
    println!("erlang-oracle: the prelude's modules against Erlang's, random calls …");
    Ok(escript(root, "differential.escript").status().context("escript runs")?.success())
}

fn escript(root: &Path, script: &str) -> Command {
    let mut command = Command::new("escript");
    command.arg(root.join("crates/erlang/tests/oracle").join(script));
    command
}

/// Whether our evaluator prints what the files say.
fn evaluator(root: &Path) -> Result<bool> {
    println!("erlang-oracle: the corpus on our evaluator …");
    let arguments = ["test", "--quiet", "--package", "foresee-erlang", "--test", "oracle"];
    let output = Command::new("cargo")
        .args(arguments)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo runs")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let says = |line: &&str| line.starts_with("test result") || line.contains("cases differ");
    text.lines().filter(says).for_each(|line| println!("  {line}"));
    Ok(output.status.success())
}

/// Whether every source of the installed stdlib and kernel parses.
fn otp_sources(root: &Path, release: &str) -> Result<bool> {
    let installed = sources()?;
    let Some((library, files)) = installed.split_first().filter(|(_, files)| !files.is_empty())
    else {
        println!(
            "erlang-oracle: the sources of stdlib and kernel are not installed (Debian: `erlang-src`)"
        );
        return Ok(true);
    };
    println!("erlang-oracle: {} sources of stdlib and kernel …", files.len());
    let example = ["run", "--quiet", "--package", "foresee-erlang-syntax", "--example", "parse"];
    let output = Command::new("cargo")
        .args(example)
        .args(["--", "--quiet", "--otp", release, "--lib", library])
        .args(files)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo runs")?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().for_each(|line| println!("  {line}"));
    let all = format!("{0} of {0} files", files.len());
    Ok(output.status.success() && text.contains(&all))
}

/// The folder of the installed libraries, then the sources of two of them.
fn sources() -> Result<Vec<String>> {
    let ask = "io:format(\"~ts~n\", [code:lib_dir()]), \
               [io:format(\"~ts~n\", [F]) || A <- [stdlib, kernel], \
                F <- filelib:wildcard(filename:join(code:lib_dir(A), \"src/*.erl\"))], halt().";
    let output = Command::new("erl").args(["-noshell", "-eval", ask]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}
