//! Erlang programs named on the command line: which words mean one, and its flags as a request; files on this machine.

use crate::args::{Erlang, Faults, IgnoredError, What};
use foresee_session::{Code, Diagnostic, ErlangOptions, ErlangRequest, Files, Ignored, Registry};
use std::path::Path;

/// The files of this machine, as text. Paths are as typed: relative ones start in the current directory.
pub(crate) struct Disk;

impl Files for Disk {
    /// UTF-8, or Latin-1 as older sources are.
    fn read(&self, path: &str) -> Result<String, String> {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        })?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
            error.as_bytes().iter().map(|byte| char::from(*byte)).collect()
        }))
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(folder).ok()?;
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        Some(names)
    }
}

impl What {
    /// A file or a folder; a system's name comes first.
    pub(crate) fn is_erlang(&self, registry: &Registry) -> bool {
        let is_path = self.name.contains('/') || Path::new(&self.name).is_dir();
        self.name.ends_with(".erl") || (is_path && registry.find(&self.name).is_err())
    }

    /// The program that the words and flags name.
    pub(crate) fn erlang_request(&self) -> ErlangRequest {
        let Erlang { module, test, include, src, otp, .. } = &self.erlang;
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        ErlangRequest {
            files: std::iter::once(&self.name).chain(&self.parameters).cloned().collect(),
            module: module.clone(),
            function: test.clone(),
            includes: include.clone(),
            defines: self.erlang.define.iter().map(define).collect(),
            sources: src.clone(),
            otp: otp.clone(),
            options: options(&self.erlang),
        }
    }

    /// Flags for Erlang programs mean nothing elsewhere.
    pub(crate) fn refuse_erlang_flags(&self) -> Result<(), Diagnostic> {
        let Erlang {
            module,
            test,
            include,
            define,
            src,
            otp,
            instant_delivery,
            after_timeout,
            treat_as_normal,
            ignore_error,
            assertions_only,
            first_process_errors_only,
        } = &self.erlang;
        let given = [
            ("--module", module.is_some()),
            ("--test", test.is_some()),
            ("--include", !include.is_empty()),
            ("--define", !define.is_empty()),
            ("--src", !src.is_empty()),
            ("--otp", otp.is_some()),
            ("--instant-delivery", instant_delivery.is_some()),
            ("--after-timeout", after_timeout.is_some()),
            ("--treat-as-normal", !treat_as_normal.is_empty()),
            ("--ignore-error", !ignore_error.is_empty()),
            ("--assertions-only", *assertions_only),
            ("--first-process-errors-only", *first_process_errors_only),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((flag, _)) => {
                let why = format!("`{}` is no Erlang file and no folder", self.name);
                Err(does_not_apply(flag, &why))
            }
            None => Ok(()),
        }
    }
}

/// Flags for nodes mean nothing elsewhere.
pub(crate) fn refuse_node_flags(
    faults: &Faults,
    check_code: bool,
    why: &str,
) -> Result<(), Diagnostic> {
    let Faults { crash, crashes_max, restarts_max, drops_max, duplicates_max, partitions_max } =
        faults;
    let given = [
        ("--crash", !crash.is_empty()),
        ("--crashes-max", crashes_max.is_some()),
        ("--restarts-max", *restarts_max > 0),
        ("--drops-max", *drops_max > 0),
        ("--duplicates-max", *duplicates_max > 0),
        ("--partitions-max", *partitions_max > 0),
        ("--check-code", check_code),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(does_not_apply(flag, why)),
        None => Ok(()),
    }
}

pub(crate) fn does_not_apply(flag: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Code::OptionDoesNotApply, format!("{flag} does not apply: {why}"))
        .at(flag)
        .help("leave it out")
}

fn options(erlang: &Erlang) -> ErlangOptions {
    let ignored = |kind: &IgnoredError| match kind {
        IgnoredError::AbnormalExit => Ignored::AbnormalExit,
        IgnoredError::AbnormalHalt => Ignored::AbnormalHalt,
        IgnoredError::Deadlock => Ignored::Deadlock,
        IgnoredError::DepthBound => Ignored::DepthBound,
    };
    ErlangOptions {
        instant_delivery: erlang.instant_delivery,
        after_timeout: erlang.after_timeout,
        normal_reasons: erlang.treat_as_normal.clone(),
        ignored: erlang.ignore_error.iter().map(ignored).collect(),
        assertions_only: erlang.assertions_only,
        first_process_errors_only: erlang.first_process_errors_only,
        for_races: false,
    }
}
