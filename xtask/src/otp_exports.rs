//! `cargo xtask otp-exports`: writes the list of what OTP's modules export, from an installed OTP 25.
//! Why a list: a call of a function that OTP has and we lack must stop a run, and a call of one that OTP does not have is an
//! `undef` as in Erlang. Only the list can tell the two apart where no Erlang is installed. Names and arities are facts.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Where the list is kept.
const FILE: &str = "crates/erlang/src/otp/exports.txt";

/// Applications of which programs under test call something; those of graphical tools and network management are left out.
const APPLICATIONS: &[&str] = &[
    "asn1",
    "common_test",
    "compiler",
    "crypto",
    "debugger",
    "diameter",
    "edoc",
    "eldap",
    "erts",
    "et",
    "eunit",
    "ftp",
    "inets",
    "kernel",
    "mnesia",
    "observer",
    "os_mon",
    "parsetools",
    "public_key",
    "runtime_tools",
    "sasl",
    "ssh",
    "ssl",
    "stdlib",
    "syntax_tools",
    "tftp",
    "tools",
    "xmerl",
];

/// The public functions of an application that distributions often leave out.
const OS_MON: &[&str] = &[
    "cpu_sup avg1/0 avg15/0 avg5/0 nprocs/0 util/0,1",
    "disksup get_almost_full_threshold/0 get_check_interval/0 get_disk_data/0 get_disk_info/0,1 set_almost_full_threshold/1 \
     set_check_interval/1",
    "memsup get_check_interval/0 get_helper_timeout/0 get_memory_data/0 get_os_wordsize/0 get_procmem_high_watermark/0 \
     get_sysmem_high_watermark/0 get_system_memory_data/0 set_check_interval/1 set_helper_timeout/1 \
     set_procmem_high_watermark/1 set_sysmem_high_watermark/1",
    "os_mon call/2,3 get_env/2 start/2 stop/1",
    "os_sup disable/0,2 enable/0,2",
];

/// Prints a line a module: its name, then each function's name with its arities.
const SCRIPT: &str = r#"
    Apps = string:lexemes(os:getenv("FORESEE_APPLICATIONS"), " "),
    Dirs = [code:lib_dir(list_to_atom(A)) || A <- Apps],
    Files = lists:append([filelib:wildcard(filename:join([D, "ebin", "*.beam"])) || D <- Dirs, is_list(D)]),
    Read = fun(F) -> {ok, {M, [{exports, E}]}} = beam_lib:chunks(F, [exports]), {M, E} end,
    Loaded = [{M, M:module_info(exports)} || M <- erlang:pre_loaded()],
    All = lists:ukeysort(1, Loaded ++ lists:map(Read, Files)),
    Name = fun(A) -> io_lib:format("~tw", [A]) end,
    Line = fun({M, E}) ->
        Names = lists:usort([N || {N, _} <- E, N =/= module_info]),
        Of = fun(N) ->
            Arities = lists:usort([A || {N1, A} <- E, N1 =:= N]),
            [" ", Name(N), "/", lists:join(",", [integer_to_list(A) || A <- Arities])]
        end,
        io:put_chars([Name(M), [Of(N) || N <- Names], "\n"])
    end,
    io:setopts([{encoding, unicode}]),
    lists:foreach(Line, All), halt().
"#;

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    if !words.is_empty() {
        bail!("usage: cargo xtask otp-exports");
    }
    let output = Command::new("erl")
        .args(["-noshell", "-eval", SCRIPT])
        .env("FORESEE_APPLICATIONS", APPLICATIONS.join(" "))
        .output()
        .context("erl runs; the list is made from an installed OTP 25")?;
    if !output.status.success() {
        bail!("erl failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout).context("names are UTF-8")?;
    // A name with a blank in it is no function that a program calls.
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.contains('\'')).collect();
    let quoted = text.lines().filter(|line| line.contains('\'')).map(without_quoted);
    let quoted: Vec<String> = quoted.collect();
    lines.extend(quoted.iter().map(String::as_str));
    let module = |line: &str| line.split(' ').next().map(str::to_owned);
    let known: Vec<Option<String>> = lines.iter().map(|line| module(line)).collect();
    lines.extend(OS_MON.iter().filter(|line| !known.contains(&module(line))));
    lines.sort_unstable_by_key(|line| module(line));
    std::fs::write(root.join(FILE), lines.join("\n") + "\n")?;
    println!("otp-exports: {} modules in {FILE}", lines.len());
    Ok(())
}

/// A line without the functions whose names have to be quoted, but for operators, which programs do call.
fn without_quoted(line: &str) -> String {
    let plain = |word: &&str| word.matches('\'').count() == 2 || !word.contains('\'');
    let words: Vec<String> = line.split(' ').filter(plain).map(|it| it.replace('\'', "")).collect();
    words.join(" ")
}
