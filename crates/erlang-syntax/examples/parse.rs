//! Parses Erlang files and shows what is wrong with them, or how many are fine.
//!
//!     cargo run --release --example parse -- [--otp N] [--lib DIR] [--quiet] [--forms] [--lint] FILE…
//!
//! `--lib` is a folder of applications (`stdlib-4.2/…`) for `-include_lib`; `--forms` prints the forms as Erlang's
//! own parser would.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an edge: reads files and shows what it finds"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annotate_snippets::{Level, Renderer, Snippet};
use foresee_erlang_syntax::*;

struct Flags {
    options: Options,
    lib: PathBuf,
    quiet: bool,
    forms: bool,
    lint: bool,
}

fn main() {
    let mut flags = Flags {
        options: Options::default(),
        lib: "/usr/lib/erlang/lib".into(),
        quiet: false,
        forms: false,
        lint: false,
    };
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--otp" => {
                flags.options.otp = args.next().and_then(|n| n.parse().ok()).expect("a number")
            }
            "--lib" => flags.lib = args.next().expect("a folder").into(),
            "--quiet" => flags.quiet = true,
            "--forms" => flags.forms = true,
            "--lint" => flags.lint = true,
            _ => files.push(arg),
        }
    }
    let (mut n_good, mut elapsed, mut n_lines) = (0, Duration::ZERO, 0);
    for path in &files {
        let (good, took, lines) = one(path, &flags);
        n_good += usize::from(good);
        elapsed += took;
        n_lines += lines;
    }
    if !flags.forms {
        println!(
            "{n_good} of {} files without errors, {n_lines} lines in {elapsed:?}",
            files.len()
        );
    }
}

fn one(path: &str, flags: &Flags) -> (bool, Duration, usize) {
    let text = read(Path::new(path)).expect("the file exists");
    let mut includes = |request: &IncludeRequest<'_>| find(request, &flags.lib);
    let start = Instant::now();
    let mut parse = parse_file(path, &text, &flags.options, &mut includes);
    let took = start.elapsed();
    if flags.lint {
        let mut more = lint(&parse);
        parse.diagnostics.append(&mut more);
    }
    if flags.forms {
        abstract_forms(&parse).iter().for_each(|form| println!("{form}"));
    } else if flags.quiet {
        if let Some(first) = parse.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            println!("{}: {} {}", parse.sources.place(first.span), first.code, first.message);
        }
    } else {
        parse
            .diagnostics
            .iter()
            .for_each(|diagnostic| println!("{}\n", show(diagnostic, &parse.sources)));
    }
    (parse.is_usable(), took, text.lines().count())
}

fn show(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let mut by_file: Vec<FileId> = vec![diagnostic.span.file];
    for label in &diagnostic.secondary {
        if !by_file.contains(&label.span.file) {
            by_file.push(label.span.file);
        }
    }
    let snippets = by_file.iter().map(|id| {
        let file = sources.file(*id);
        let mut snippet = Snippet::source(&file.text).origin(&file.path).fold(true);
        let range = |span: Span| span.start as usize..(span.end as usize).min(file.text.len());
        if diagnostic.span.file == *id {
            snippet =
                snippet.annotation(level.span(range(diagnostic.span)).label(&diagnostic.label));
        }
        for label in diagnostic.secondary.iter().filter(|label| label.span.file == *id) {
            snippet = snippet.annotation(Level::Info.span(range(label.span)).label(&label.message));
        }
        snippet
    });
    let message = level
        .title(&diagnostic.message)
        .id(diagnostic.code.0)
        .snippets(snippets)
        .footers(diagnostic.help.iter().map(|help| Level::Help.title(help)));
    Renderer::plain().render(message).to_string()
}

/// Beside the including file, in an application of `lib`, or anywhere below it by the end of the path.
fn find(request: &IncludeRequest<'_>, lib: &Path) -> Option<IncludedFile> {
    let from = Path::new(request.from).parent()?;
    let mut candidates = vec![from.join(request.path), from.join("../include").join(request.path)];
    let (app, rest) = request.path.split_once('/').unwrap_or(("", request.path));
    candidates.extend(headers(lib).iter().filter(|path| path.ends_with(request.path)).cloned());
    let versioned = format!("/{app}-");
    let in_app =
        |path: &&PathBuf| path.ends_with(rest) && path.display().to_string().contains(&versioned);
    candidates.extend(headers(lib).iter().filter(in_app).cloned());
    let found = candidates.into_iter().find(|path| path.is_file())?;
    Some(IncludedFile { path: found.display().to_string(), text: read(&found)? })
}

/// All headers below a folder, found once.
fn headers(lib: &Path) -> &'static [PathBuf] {
    static HEADERS: std::sync::OnceLock<Vec<PathBuf>> = std::sync::OnceLock::new();
    HEADERS.get_or_init(|| {
        let (mut found, mut folders) = (Vec::new(), vec![lib.to_path_buf()]);
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path())
            {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "hrl") {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    })
}

/// UTF-8, or Latin-1 as older sources are.
fn read(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.as_bytes().iter().map(|byte| *byte as char).collect(),
    })
}
