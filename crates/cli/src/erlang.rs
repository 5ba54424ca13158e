//! Erlang programs named on the command line: which words mean one, and its flags as a request; files on this machine.

use crate::args::{Clock, CrashPoints, Erlang, Faults, IgnoredError, Sources, What};
use crate::render;
use foresee_session::{
    ClockMode, Code, Crashes, Diagnostic, ErlangOptions, ErlangRequest, Files, Ignored, Registry,
};
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
    pub(crate) fn erlang_request(
        &self,
        faults: Option<&Faults>,
    ) -> Result<ErlangRequest, Diagnostic> {
        let Erlang { module, test, sources, .. } = &self.erlang;
        Ok(ErlangRequest {
            files: std::iter::once(&self.name).chain(&self.parameters).cloned().collect(),
            module: module.clone(),
            function: test.clone(),
            supervisor: self.erlang.supervisor.as_deref().map(supervisor).transpose()?,
            options: ErlangOptions {
                crashes: faults.map(crashes).transpose()?.flatten(),
                ..options(&self.erlang)
            },
            ..sources.to_request()
        })
    }

    /// Flags for Erlang programs mean nothing elsewhere.
    pub(crate) fn refuse_erlang_flags(&self) -> Result<(), Diagnostic> {
        let Erlang {
            module,
            test,
            supervisor,
            sources: Sources { include, define, src, otp },
            instant_delivery,
            after_timeout,
            clock,
            treat_as_normal,
            ignore_error,
            assertions_only,
            first_process_errors_only,
        } = &self.erlang;
        let given = [
            ("--module", module.is_some()),
            ("--test", test.is_some()),
            ("--supervisor", supervisor.is_some()),
            ("--include", !include.is_empty()),
            ("--define", !define.is_empty()),
            ("--src", !src.is_empty()),
            ("--otp", otp.is_some()),
            ("--instant-delivery", instant_delivery.is_some()),
            ("--after-timeout", after_timeout.is_some()),
            ("--clock", clock.is_some()),
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

impl Sources {
    /// A request that has only these yet.
    pub(crate) fn to_request(&self) -> ErlangRequest {
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        ErlangRequest {
            includes: self.include.clone(),
            defines: self.define.iter().map(define).collect(),
            sources: self.src.clone(),
            otp: self.otp.clone(),
            ..ErlangRequest::default()
        }
    }

    /// As they were typed.
    pub(crate) fn words(&self) -> Vec<String> {
        let word = |flag: &str, text: &String| format!("{flag} {}", render::quoted(text));
        let include = self.include.iter().map(|folder| word("-I", folder));
        let define = self.define.iter().map(|text| word("-D", text));
        let src = self.src.iter().map(|folder| word("--src", folder));
        let otp = self.otp.iter().map(|folder| word("--otp", folder));
        include.chain(define).chain(src).chain(otp).collect()
    }
}

/// Flags for nodes mean nothing elsewhere.
pub(crate) fn refuse_node_flags(
    faults: &Faults,
    check_code: bool,
    why: &str,
) -> Result<(), Diagnostic> {
    let given =
        [("--crash", !faults.crash.is_empty()), ("--crashes-max", faults.crashes_max.is_some())];
    let rest = refuse_network_flags(faults, check_code, why);
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(does_not_apply(flag, why)),
        None => rest.and_then(|()| refuse_process_flags(faults, why)),
    }
}

/// Flags for Erlang processes that crash mean nothing for nodes.
pub(crate) fn refuse_process_flags(faults: &Faults, why: &str) -> Result<(), Diagnostic> {
    match (faults.crash_points, faults.restart) {
        (Some(_), _) => Err(does_not_apply("--crash-points", why)),
        (_, Some(_)) => Err(does_not_apply("--restart", why)),
        _ => Ok(()),
    }
}

/// Flags for networks of nodes mean nothing for an Erlang program.
pub(crate) fn refuse_network_flags(
    faults: &Faults,
    check_code: bool,
    why: &str,
) -> Result<(), Diagnostic> {
    let Faults { restarts_max, drops_max, duplicates_max, partitions_max, .. } = faults;
    let given = [
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

/// `MODULE:FUNCTION`.
pub(crate) fn supervisor(text: &str) -> Result<(String, String), Diagnostic> {
    match text.split_once(':') {
        Some((module, function)) if !module.is_empty() && !function.is_empty() => {
            let function = function.strip_suffix("/0").unwrap_or(function);
            Ok((module.to_owned(), function.to_owned()))
        }
        _ => Err(Diagnostic::new(
            Code::BadParameterValue,
            format!("`{text}` is not MODULE:FUNCTION"),
        )
        .at(format!("--supervisor {text}"))
        .help("name the function that starts the tree, for example --supervisor locker_sup:start_link")),
    }
}

/// Which processes of an Erlang program may crash.
pub(crate) fn crashes(faults: &Faults) -> Result<Option<Crashes>, Diagnostic> {
    let given = [
        ("--crashes-max", faults.crashes_max.is_some()),
        ("--crash-points", faults.crash_points.is_some()),
        ("--restart", faults.restart.is_some()),
    ];
    if faults.crash.is_empty() {
        return match given.iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(does_not_apply(flag, "no process may crash")
                .help("say who with --crash, for example --crash all")),
            None => Ok(None),
        };
    }
    Ok(Some(Crashes {
        processes: faults.crash.clone(),
        max: faults.crashes_max,
        points: match faults.crash_points {
            Some(CrashPoints::Calls) => foresee_session::CrashPoints::Calls,
            Some(CrashPoints::Every) | None => foresee_session::CrashPoints::Every,
        },
        restart: faults.restart.unwrap_or(true),
        ..Crashes::default()
    }))
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
        clock: erlang.clock.map(|clock| match clock {
            Clock::Moving => ClockMode::Moving,
            Clock::Frozen => ClockMode::Frozen,
        }),
        normal_reasons: erlang.treat_as_normal.clone(),
        ignored: erlang.ignore_error.iter().map(ignored).collect(),
        assertions_only: erlang.assertions_only,
        first_process_errors_only: erlang.first_process_errors_only,
        ..ErlangOptions::default()
    }
}
