//! How the stock binary is linked where it is to be small, and with the feature `kit` the library's sources, compressed, for `foresee new` to
//! write beside a new crate.
//! What is packed is what a path dependency needs: every crate's manifest and sources, the pages that the door embeds, and the guide
//! to read; of the labs also handout and skeleton, for `foresee labs new`. Tests, examples and what only they need stay out, and so do
//! the labs' solutions.
//! Invariant: the same sources give the same bytes; files come in the order of their names, and no time or mode is kept.
//! Format, before compression: for each file the lengths of its name and its content as `u32` (little end first), then both.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    link::smaller();
    #[cfg(feature = "kit")]
    kit::pack();
}

/// Functions that are compiled to the same instructions are linked once, and what the loader has to relocate is listed as a bit map: together a
/// thirteenth of the stock binary. Both are asked for only where they are sure to work: a release for this very machine, with the linker that comes with Rust and is
/// its default (x86-64 Linux), and a C library that knows the list (2.36 or later).
mod link {
    use std::path::Path;
    use std::process::Command;

    pub(super) fn smaller() {
        for name in ["RUSTC_LINKER", "CARGO_ENCODED_RUSTFLAGS"] {
            println!("cargo::rerun-if-env-changed={name}");
        }
        let said =
            |name: &str| std::env::var_os(name).unwrap_or_default().to_string_lossy().into_owned();
        let target = "x86_64-unknown-linux-gnu";
        let is_ours = said("PROFILE") == "release"
            && said("TARGET") == target
            && said("HOST") == target
            && said("RUSTC_LINKER").is_empty()
            && !said("CARGO_ENCODED_RUSTFLAGS").contains("link");
        if !is_ours || !has_linker(&said("RUSTC"), target) {
            return;
        }
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        if glibc().is_some_and(|version| version >= (2, 36)) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }

    /// Whether this Rust brings the linker that it uses by default; that of some distributions does not.
    fn has_linker(rustc: &str, target: &str) -> bool {
        let sysroot = answer(rustc, &["--print", "sysroot"]).unwrap_or_default();
        let place = format!("lib/rustlib/{target}/bin/gcc-ld/ld.lld");
        !sysroot.is_empty() && Path::new(sysroot.trim()).join(place).is_file()
    }

    fn glibc() -> Option<(u32, u32)> {
        let version = answer("getconf", &["GNU_LIBC_VERSION"])?;
        let (major, minor) = version.trim().strip_prefix("glibc ")?.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    }

    fn answer(program: &str, arguments: &[&str]) -> Option<String> {
        let output = Command::new(program).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

#[cfg(feature = "kit")]
mod kit {
    use lzma_rust2::{LzmaOptions, LzmaWriter};
    use std::io::Write;
    use std::path::{Path, PathBuf};

    /// Folders packed whole, relative to the workspace.
    const FOLDERS: [&str; 4] =
        ["crates/debugger/web/dist", "docs/diagnostics", "docs/guide", "docs/patterns"];

    pub(super) fn pack() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        let mut add = |name: String, content: Vec<u8>| files.push((name, content));
        let watch = |path: &Path| println!("cargo::rerun-if-changed={}", path.display());

        let manifest = root.join("Cargo.toml");
        watch(&manifest);
        add("Cargo.toml".to_owned(), workspace_manifest(&read_text(&manifest)).into_bytes());
        for name in ["Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "rustfmt.toml"] {
            let file = root.join(name);
            watch(&file);
            add(name.to_owned(), read(&file));
        }
        for parent in ["crates", "labs"] {
            // The runner of the zoos is no part of the library.
            let is_library = |folder: &PathBuf| file_name(folder) != "zoo";
            for folder in entries(&root.join(parent)).into_iter().filter(is_library) {
                let name = format!("{parent}/{}", file_name(&folder));
                let manifest = folder.join("Cargo.toml");
                watch(&manifest);
                let text = crate_manifest(&read_text(&manifest));
                add(format!("{name}/Cargo.toml"), text.into_bytes());
                let script = folder.join("build.rs");
                if script.is_file() {
                    add(format!("{name}/build.rs"), read(&script));
                }
                watch(&folder.join("src"));
                below(&folder.join("src"), &format!("{name}/src"), &mut |name, content| {
                    if !is_solution(&name) {
                        add(name, content);
                    }
                });
                let skeleton = folder.join("skeleton");
                if skeleton.is_dir() {
                    let handout = folder.join("README.md");
                    watch(&handout);
                    add(format!("{name}/README.md"), read(&handout));
                    watch(&skeleton);
                    below(&skeleton, &format!("{name}/skeleton"), &mut add);
                }
            }
        }
        for folder in FOLDERS {
            watch(&root.join(folder));
            below(&root.join(folder), folder, &mut |name, content| {
                // Pictures of the page do not compress; the page itself is a command away.
                if !name.ends_with(".png") {
                    add(name, content);
                }
            });
        }
        files.sort();
        let mut bytes = Vec::new();
        for (name, content) in &files {
            let length = |bytes: &[u8]| u32::try_from(bytes.len()).expect("a file of sources");
            bytes.extend(length(name.as_bytes()).to_le_bytes());
            bytes.extend(length(content).to_le_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend(content);
        }
        let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
        std::fs::write(out.join("sources.lzma"), packed(&bytes))
            .expect("the folder is cargo's own");
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        // Level 6 looks back as far as all there is.
        let (options, size) = (LzmaOptions::with_preset(6), Some(bytes.len() as u64));
        let mut writer =
            LzmaWriter::new_use_header(Vec::new(), &options, size).expect("good options");
        writer.write_all(bytes).expect("memory takes everything");
        writer.finish().expect("memory takes everything")
    }

    /// Whether a file belongs to the solution of a lab or to its bugs: those are not handed out.
    fn is_solution(name: &str) -> bool {
        let is_one = |part: &str| matches!(part, "reference" | "reference.rs" | "zoo" | "zoo.rs");
        name.starts_with("labs/") && name.split('/').any(is_one)
    }

    /// The workspace as it is beside a new crate: the library's crates and what they share.
    fn workspace_manifest(text: &str) -> String {
        let kept =
            sections(text, |header| header != "[workspace]" && header.starts_with("[workspace."));
        format!("[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\", \"labs/*\"]\n\n{kept}")
    }

    /// A crate without its tests and examples, and without solutions by default.
    fn crate_manifest(text: &str) -> String {
        let left_out = ["[[test]]", "[[example]]", "[[bench]]", "[dev-dependencies]"];
        let text = sections(text, |header| !left_out.contains(&header));
        // The solutions of the labs are not there to be switched on.
        let lines = text.lines().map(|line| match line.starts_with("default = [") {
            true => line.replace(", \"solutions\"", "").replace("\"solutions\"", ""),
            false => line.to_owned(),
        });
        lines.map(|line| line + "\n").collect()
    }

    /// The sections of a manifest whose header is wanted; comments belong to the section that they stand in.
    fn sections(text: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        let mut is_kept = true;
        let mut kept = String::new();
        for line in text.lines() {
            if line.starts_with('[') {
                is_kept = is_wanted(line.trim());
            }
            if is_kept {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        kept
    }

    fn below(folder: &Path, name: &str, add: &mut impl FnMut(String, Vec<u8>)) {
        for entry in entries(folder) {
            let name = format!("{name}/{}", file_name(&entry));
            match entry.is_dir() {
                true => below(&entry, &name, add),
                false => add(name, read(&entry)),
            }
        }
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        let listed = std::fs::read_dir(folder).unwrap_or_else(|error| {
            panic!("the sources are not complete: {}: {error}", folder.display())
        });
        let mut all: Vec<PathBuf> = listed.map(|entry| entry.expect("readable").path()).collect();
        all.sort();
        all
    }

    fn file_name(path: &Path) -> String {
        path.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned()
    }

    fn read(file: &Path) -> Vec<u8> {
        std::fs::read(file).unwrap_or_else(|error| {
            panic!("the sources are not complete: {}: {error}", file.display())
        })
    }

    fn read_text(file: &Path) -> String {
        String::from_utf8(read(file)).expect("a manifest is text")
    }
}
