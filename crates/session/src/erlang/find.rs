//! Where modules and headers are: beside the files given, in the folders named, in a project, in an installed OTP.
//! Headers are looked for as `erlc` does, and a little further; the rule for modules is by name, as the code server's.

use super::ErlangSource;
use super::project::Project;
use crate::Files;
use foresee_erlang_syntax::{IncludeRequest, IncludedFile};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that can be found for one source.
pub(crate) struct Places<'f> {
    pub(crate) files: &'f dyn Files,
    includes: Vec<String>,
    /// Applications and their folders, for `-include_lib`.
    applications: Vec<(String, String)>,
    /// Modules of the user that may be loaded when something names them.
    modules: BTreeMap<String, String>,
    /// Those of them that are in the folders of a project.
    of_project: BTreeSet<String>,
    otp: Option<Otp>,
}

/// An installed OTP.
struct Otp {
    applications: Vec<(String, String)>,
    modules: OnceCell<BTreeMap<String, String>>,
}

impl<'f> Places<'f> {
    /// `files` are those given by name; `project` what was found of one.
    pub(crate) fn new(
        source: &ErlangSource,
        files: &'f dyn Files,
        given: &[String],
        project: Option<&Project>,
    ) -> Self {
        let own_folders: BTreeSet<String> = given.iter().map(|path| folder_of(path)).collect();
        let named = source.sources.iter().chain(project.into_iter().flat_map(|it| &it.sources));
        let mut modules = BTreeMap::new();
        // What is named comes before what happens to stand beside.
        for folder in named.chain(&own_folders) {
            for (name, path) in modules_in(files, folder) {
                modules.entry(name).or_insert(path);
            }
        }
        for folder in &source.sources {
            for (name, path) in compiled_in(files, folder) {
                modules.entry(name).or_insert(path);
            }
        }
        let of_project = project.into_iter().flat_map(|it| &it.sources);
        let of_project = of_project.flat_map(|folder| modules_in(files, folder));
        let of_project = of_project.map(|(name, _)| name).collect();
        let includes = source.includes.iter().cloned();
        let includes = includes.chain(project.into_iter().flat_map(|it| it.includes.clone()));
        Places {
            files,
            includes: includes.collect(),
            applications: project.map_or_else(Vec::new, |it| it.applications.clone()),
            modules,
            of_project,
            otp: source.otp.as_deref().map(|folder| Otp::at(files, folder)),
        }
    }

    /// The text of a module: of a compiled one, that which it was compiled from.
    pub(crate) fn text(&self, path: &str) -> Result<String, String> {
        match path.ends_with(COMPILED) {
            true => foresee_erlang::beam_text(&self.files.read_bytes(path)?),
            false => self.files.read(path),
        }
    }

    /// The file of one of the user's modules.
    pub(crate) fn module(&self, name: &str) -> Option<&str> {
        self.modules.get(name).map(String::as_str)
    }

    /// The modules of a project's own folders, any of which a name made at run time may mean.
    pub(crate) fn project_modules(&self) -> impl Iterator<Item = &str> {
        self.of_project.iter().map(String::as_str)
    }

    pub(crate) fn module_names(&self) -> Vec<&str> {
        self.modules.keys().map(String::as_str).collect()
    }

    /// The file of a library module.
    pub(crate) fn library(&self, name: &str) -> Option<&str> {
        self.otp.as_ref()?.modules(self.files).get(name).map(String::as_str)
    }

    /// The file of an include directive.
    pub(crate) fn include(&self, request: &IncludeRequest<'_>) -> Option<IncludedFile> {
        let mut candidates = Vec::new();
        if request.library {
            // Without an application it is a header like any other.
            let (application, rest) = request.path.split_once('/').unwrap_or(("", request.path));
            let known = self.applications.iter();
            let installed = self.otp.iter().flat_map(|otp| &otp.applications);
            candidates.extend(
                known
                    .chain(installed)
                    .filter(|(name, _)| name == application)
                    .map(|(_, folder)| join(folder, rest)),
            );
        }
        let beside = folder_of(request.from);
        candidates.push(join(&beside, request.path));
        candidates.extend(self.includes.iter().map(|folder| join(folder, request.path)));
        candidates.push(join(&beside, &join("../include", request.path)));
        // `erlc` looks in the folder it is called in, too.
        candidates.push(request.path.to_owned());
        if request.library {
            // The application is not known, but its headers may be in a folder that was named.
            let file = request.path.rsplit('/').next().unwrap_or(request.path);
            candidates.extend(self.includes.iter().map(|folder| join(folder, file)));
        }
        candidates.into_iter().find_map(|path| {
            let text = self.files.read(&path).ok()?;
            Some(IncludedFile { path, text })
        })
    }
}

impl Otp {
    /// `folder` is an installation, or its folder of libraries.
    fn at(files: &dyn Files, folder: &str) -> Otp {
        let lib = join(folder, "lib");
        let lib = if files.list(&lib).is_some() { lib } else { folder.to_owned() };
        let applications = files.list(&lib).unwrap_or_default().into_iter().map(|name| {
            let plain = name.split_once('-').map_or(name.as_str(), |(plain, _)| plain).to_owned();
            (plain, join(&lib, &name))
        });
        Otp { applications: applications.collect(), modules: OnceCell::new() }
    }

    fn modules(&self, files: &dyn Files) -> &BTreeMap<String, String> {
        self.modules.get_or_init(|| {
            // A distribution may come without sources; its modules are compiled with them in.
            let folders = self.applications.iter().map(|(_, folder)| join(folder, "ebin"));
            let compiled = folders.flat_map(|folder| compiled_in(files, &folder));
            let folders = self.applications.iter().map(|(_, folder)| join(folder, "src"));
            compiled.chain(folders.flat_map(|folder| modules_below(files, &folder))).collect()
        })
    }
}

/// How the names of compiled modules end.
const COMPILED: &str = ".beam";

/// The modules whose files are in a folder.
pub(crate) fn modules_in(files: &dyn Files, folder: &str) -> Vec<(String, String)> {
    files_in(files, folder, ".erl")
}

/// The modules that are there compiled.
fn compiled_in(files: &dyn Files, folder: &str) -> Vec<(String, String)> {
    files_in(files, folder, COMPILED)
}

fn files_in(files: &dyn Files, folder: &str, ending: &str) -> Vec<(String, String)> {
    let names = files.list(folder).unwrap_or_default();
    let module = |name: String| Some((name.strip_suffix(ending)?.to_owned(), join(folder, &name)));
    names.into_iter().filter_map(module).collect()
}

/// The same, in folders below it too.
pub(crate) fn modules_below(files: &dyn Files, folder: &str) -> Vec<(String, String)> {
    let mut found = modules_in(files, folder);
    for inner in folders_in(files, folder) {
        found.extend(modules_below(files, &inner));
    }
    found
}

/// The folders in a folder.
pub(crate) fn folders_in(files: &dyn Files, folder: &str) -> Vec<String> {
    let names = files.list(folder).unwrap_or_default();
    let plain = names.into_iter().filter(|name| !name.starts_with('.') && !name.contains(".erl"));
    plain.map(|name| join(folder, &name)).filter(|path| files.list(path).is_some()).collect()
}

pub(crate) fn folder_of(path: &str) -> String {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned()
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    match folder {
        _ if name.starts_with('/') => name.to_owned(),
        "" | "." => name.to_owned(),
        folder => format!("{}/{name}", folder.trim_end_matches('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_module_is_its_source_or_what_it_was_compiled_to() {
        let files = ["lib/a-1.0/src/m.erl", "lib/a-1.0/ebin/m.beam", "lib/a-1.0/ebin/n.beam"];
        let files = files.map(|path| (format!("otp/{path}"), String::new()));
        let files: BTreeMap<String, String> = files.into();
        let otp = Otp::at(&files, "otp");
        let of = |name: &str| otp.modules(&files).get(name).map(String::as_str);
        assert_eq!(of("m"), Some("otp/lib/a-1.0/src/m.erl"));
        assert_eq!(of("n"), Some("otp/lib/a-1.0/ebin/n.beam"));
    }
}
