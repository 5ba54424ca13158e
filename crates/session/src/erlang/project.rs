//! A rebar3 project: where its sources and headers are and what its `rebar.config` says to the compiler.
//! Only what decides which text is read: source folders, include folders, macros. Dependencies are found where rebar3 puts
//! them (`_build`, `_checkouts`); fetching and building them is rebar3's.

use super::find::{folders_in, join, modules_below};
use crate::Files;
use crate::{Code, Diagnostic};
use foresee_erlang_syntax::tree::{Expr, ExprKind};
use foresee_erlang_syntax::{parse_expr, print_expr};
use std::collections::BTreeSet;

/// What a project's folder holds.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Project {
    /// The folder itself.
    pub root: String,
    pub sources: Vec<String>,
    /// Those of them that are not of a dependency.
    pub own: Vec<String>,
    pub includes: Vec<String>,
    /// Applications by name, for `-include_lib`.
    pub applications: Vec<(String, String)>,
    pub defines: Vec<(String, Option<String>)>,
    /// Application files, with the names of the applications.
    pub specifications: Vec<(String, String)>,
    /// Parse transforms for all modules.
    pub transforms: Vec<String>,
    /// The options of the compiler, as they are written; parse transforms are given them.
    pub compiler_options: Vec<String>,
    /// What the project says it depends on and is not there.
    pub missing: Vec<String>,
}

/// How far up a project's folder is looked for.
const LEVELS_MAX: usize = 6;

/// Where a project of several applications has them.
const OWN_APPLICATIONS: [&str; 2] = ["apps", "lib"];

/// Where rebar3, erlang.mk and rebar put what a project depends on.
const DEPENDENCIES: [&str; 4] = ["_checkouts", "_build/test/lib", "_build/default/lib", "deps"];

impl Project {
    /// Looks at a folder.
    pub fn at(files: &dyn Files, folder: &str) -> Result<Project, Diagnostic> {
        let config = files.read(&join(folder, "rebar.config")).ok();
        let mut project = Project { root: folder.to_owned(), ..Project::default() };
        project.application(files, folder);
        for applications in OWN_APPLICATIONS {
            for inner in folders_in(files, &join(folder, applications)) {
                project.application(files, &inner);
            }
        }
        let config = config.as_deref().map_or_else(Vec::new, terms);
        for option in config.iter().flat_map(compiler_options) {
            project.option(folder, option);
            project.compiler_options.push(print_expr(option));
        }
        project.own = project.sources.clone();
        for applications in DEPENDENCIES {
            for inner in folders_in(files, &join(folder, applications)) {
                // A project's own applications are built there, too.
                let name = inner.rsplit('/').next().unwrap_or(&inner);
                if !project.applications.iter().any(|(own, _)| own == name) {
                    project.application(files, &inner);
                }
            }
        }
        let makefile = files.read(&join(folder, "Makefile")).unwrap_or_default();
        if includes_erlang_mk(&makefile) {
            // Its way to compile for tests: modules need not include EUnit's header.
            project.transforms.push("eunit_autoexport".to_owned());
        }
        let declared =
            config.iter().flat_map(dependencies).chain(dependencies_of_makefile(&makefile));
        let is_there = |name: &String| project.applications.iter().any(|(known, _)| known == name);
        let missing: BTreeSet<String> = declared.filter(|name| !is_there(name)).collect();
        project.missing = missing.into_iter().collect();
        // As `rebar3 eunit` does.
        project.defines.push(("TEST".to_owned(), None));
        let has_modules = |source: &String| !super::find::modules_in(files, source).is_empty();
        if !project.sources.iter().any(has_modules) {
            let message = format!("`{folder}` holds no Erlang modules");
            return Err(Diagnostic::new(Code::SourceNotReadable, message).help(
                "name a rebar3 project's folder (with `src` or `apps`), or the files themselves",
            ));
        }
        Ok(project)
    }

    /// The project that a file belongs to: the nearest folder above it with a `rebar.config`.
    pub fn around(files: &dyn Files, file: &str) -> Option<Project> {
        let mut folder = super::find::folder_of(file);
        for _ in 0..LEVELS_MAX {
            if files.read(&join(&folder, "rebar.config")).is_ok() {
                return Project::at(files, &folder).ok();
            }
            if matches!(folder.as_str(), "." | "" | "/") {
                return None;
            }
            folder = super::find::folder_of(&folder);
        }
        None
    }

    /// Adds one application's folders.
    fn application(&mut self, files: &dyn Files, folder: &str) {
        let source = join(folder, "src");
        let built = join(folder, "ebin");
        let listed = |place: &String| files.list(place).unwrap_or_default();
        let in_source = listed(&source).into_iter().map(|file| (join(&source, &file), file));
        let in_built = listed(&built).into_iter().map(|file| (join(&built, &file), file));
        let mut specification = in_source.chain(in_built).filter_map(|(path, file)| {
            let name = file.strip_suffix(".app.src").or(file.strip_suffix(".app"))?;
            Some((name.to_owned(), path))
        });
        let specification = specification.next();
        let plain = folder.rsplit('/').next().unwrap_or(folder);
        let name = specification.as_ref().map_or(plain, |(name, _)| name).to_owned();
        self.specifications.extend(specification);
        self.applications.push((name, folder.to_owned()));
        // As rebar3 does: `-include("src/x.hrl")` is found from the application's folder.
        self.includes.extend([join(folder, "include"), source.clone(), folder.to_owned()]);
        for place in [source, join(folder, "test")] {
            self.sources.push(place.clone());
            let below = modules_below(files, &place);
            let folders = below.iter().map(|(_, path)| super::find::folder_of(path));
            for inner in folders {
                if !self.sources.contains(&inner) {
                    self.sources.push(inner);
                }
            }
        }
        self.sources.push(folder.to_owned());
    }

    fn option(&mut self, folder: &str, option: &Expr) {
        let ExprKind::Tuple(parts) = &option.kind else { return };
        let Some((first, parts)) = parts.split_first() else { return };
        match (first.as_atom().map(|name| name.as_str()), parts) {
            (Some("i"), [place]) => {
                self.includes.extend(text(place).map(|place| join(folder, &place)));
            }
            (Some("parse_transform"), [name]) => self.transforms.extend(text(name)),
            (Some("d"), [name]) => self.defines.extend(text(name).map(|name| (name, None))),
            (Some("d"), [name, value]) => {
                let value = print_expr(value);
                self.defines.extend(text(name).map(|name| (name, Some(value))));
            }
            (Some("platform_define"), [platforms, name, rest @ ..])
                if text(platforms).is_some_and(|it| is_our_platform(&it)) =>
            {
                let value = rest.first().map(print_expr);
                self.defines.extend(text(name).map(|name| (name, value)));
            }
            (Some("src_dirs" | "extra_src_dirs"), [places]) => {
                // A folder may stand with options of its own: `{"test", [{recursive, true}]}`.
                let place = |it: &Expr| match &it.kind {
                    ExprKind::Tuple(parts) => parts.first().and_then(text),
                    _ => text(it),
                };
                let places = elements(places).iter().filter_map(place);
                self.sources.extend(places.map(|place| join(folder, &place)));
            }
            _ => {}
        }
    }
}

/// The names in `deps`, here and in the test profile.
fn dependencies(term: &Expr) -> Vec<String> {
    let ExprKind::Tuple(parts) = &term.kind else { return Vec::new() };
    let named = |it: &Expr| match &it.kind {
        ExprKind::Tuple(parts) => parts.first().and_then(text),
        _ => text(it),
    };
    match (parts.first().and_then(Expr::as_atom).map(|name| name.as_str()), &parts[1..]) {
        (Some("deps"), [listed]) => elements(listed).iter().filter_map(named).collect(),
        (Some("profiles"), [profiles]) => {
            in_test_profile(profiles).flat_map(dependencies).collect()
        }
        _ => Vec::new(),
    }
}

/// `include erlang.mk`, or the like by a path.
fn includes_erlang_mk(makefile: &str) -> bool {
    makefile.lines().any(|line| {
        let mut words = line.split_whitespace();
        matches!(words.next(), Some("include" | "-include"))
            && words.any(|word| word.rsplit('/').next() == Some("erlang.mk"))
    })
}

/// The names after `DEPS =`, `TEST_DEPS =` and the like, as erlang.mk has them.
fn dependencies_of_makefile(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.lines() {
        let Some((variable, value)) = line.split_once('=') else { continue };
        let variable = variable.trim().trim_end_matches(['+', ':', '?']).trim();
        if matches!(variable, "DEPS" | "TEST_DEPS" | "BUILD_DEPS") {
            let plain = value.split_whitespace().filter(|word| !word.starts_with('$'));
            names.extend(plain.map(str::to_owned));
        }
    }
    names
}

/// The terms of the test profile.
fn in_test_profile(profiles: &Expr) -> impl Iterator<Item = &Expr> {
    elements(profiles)
        .iter()
        .filter_map(|profile| match &profile.kind {
            ExprKind::Tuple(parts) => Some(parts),
            _ => None,
        })
        .filter(|parts| parts.first().and_then(Expr::as_atom).is_some_and(|name| *name == "test"))
        .flat_map(|parts| parts.get(1).map_or(&[][..], elements))
}

/// The release, the architecture and the word size that programs are told, as rebar3 puts them together.
const PLATFORM: &str = "25-foresee-64";

/// Whether a regular expression of `platform_define` is about the platform that programs are told to be on.
fn is_our_platform(pattern: &str) -> bool {
    let pattern: Vec<u32> = pattern.chars().map(u32::from).collect();
    let subject: Vec<u32> = PLATFORM.chars().map(u32::from).collect();
    let regex = foresee_erlang::regex::Regex::new(&pattern, Default::default());
    regex.is_ok_and(|it| matches!(it.find(&subject, 0, Default::default()), Ok(Some(_))))
}

/// The options of `erl_opts`, here and in the test profile.
fn compiler_options(term: &Expr) -> Vec<&Expr> {
    let ExprKind::Tuple(parts) = &term.kind else { return Vec::new() };
    match (parts.first().and_then(Expr::as_atom).map(|name| name.as_str()), &parts[1..]) {
        (Some("erl_opts" | "eunit_compile_opts" | "ct_compile_opts"), [options]) => {
            elements(options).iter().collect()
        }
        (Some("src_dirs" | "extra_src_dirs"), [_]) => vec![term],
        (Some("profiles"), [profiles]) => {
            in_test_profile(profiles).flat_map(compiler_options).collect()
        }
        _ => Vec::new(),
    }
}

fn elements(list: &Expr) -> &[Expr] {
    match &list.kind {
        ExprKind::List { elements, .. } => elements,
        _ => &[],
    }
}

/// An atom or a string.
fn text(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Atom(name) => Some(name.to_string()),
        ExprKind::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// The terms of a file of terms, each ended by a full stop; what cannot be read is passed over.
fn terms(text: &str) -> Vec<Expr> {
    let (mut terms, mut start, mut quote) = (Vec::new(), 0, None);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') | (None, '$') => {
                characters.next();
            }
            (Some('%'), '\n') => quote = None,
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'' | '%') => quote = Some(character),
            (None, '.') if characters.peek().is_none_or(|(_, next)| next.is_whitespace()) => {
                terms.extend(parse_expr(&text[start..=at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn terms_end_at_full_stops_outside_of_quotes() {
        let text = "{a, \"x. y\"}. % no. comment\n{b, 'c. d', $., 1.5}.\n[c].";
        let printed: Vec<String> = terms(text).iter().map(print_expr).collect();
        assert_eq!(printed, ["{a, \"x. y\"}", "{b, 'c. d', $., 1.5}", "[c]"]);
    }

    #[test]
    fn a_project_has_sources_headers_and_macros() {
        let config = "{erl_opts, [debug_info, {i, \"more\"}, {d, 'LIMIT', 3}]}.\n\
                      {profiles, [{test, [{erl_opts, [{d, 'SLOW'}]}]}]}.\n";
        let files: BTreeMap<String, String> = [
            ("p/rebar.config", config),
            ("p/apps/shop/src/shop.erl", ""),
            ("p/apps/shop/src/shop.app.src", ""),
            ("p/apps/shop/src/deep/cart.erl", ""),
            ("p/apps/shop/include/shop.hrl", ""),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .into();
        let project = Project::at(&files, "p").expect("a project");
        for source in ["p/apps/shop/src", "p/apps/shop/src/deep"] {
            assert!(project.sources.contains(&source.to_owned()), "{:?}", project.sources);
        }
        assert!(project.includes.contains(&"p/more".to_owned()));
        assert!(project.applications.contains(&("shop".to_owned(), "p/apps/shop".to_owned())));
        let define = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let defines = [define("LIMIT", Some("3")), define("SLOW", None), define("TEST", None)];
        assert_eq!(project.defines, defines);
        assert_eq!(Project::around(&files, "p/apps/shop/src/deep/cart.erl"), Some(project));
        assert_eq!(Project::around(&files, "q/cart.erl"), None);
        let empty: BTreeMap<String, String> = BTreeMap::new();
        assert!(Project::at(&empty, "p").is_err());
    }
}
