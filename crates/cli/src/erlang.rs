//! Erlang programs named on the command line: their flags as the fields of a source.

use crate::args::{Clock, CrashPoints, Erlang, Faults, IgnoredError, Sources};
use crate::render;
use foresee_session::{ClockMode, Code, Crashes, Diagnostic, ErlangOptions, ErlangSource, Ignored};

/// Adds what the flags say to a program whose files are known.
pub(crate) fn complete(program: &mut ErlangSource, flags: &Erlang) -> Result<(), Diagnostic> {
    *program = ErlangSource {
        files: std::mem::take(&mut program.files),
        module: flags.module.clone(),
        function: flags.test.clone(),
        supervisor: flags.supervisor.as_deref().map(supervisor).transpose()?,
        options: options(flags),
        ..flags.sources.to_source()
    };
    Ok(())
}

impl Sources {
    /// A source that has only these yet.
    pub(crate) fn to_source(&self) -> ErlangSource {
        ErlangSource {
            includes: self.include.clone(),
            defines: self.define.iter().map(|text| ErlangSource::define(text)).collect(),
            sources: self.src.clone(),
            otp: self.otp.clone(),
            ..ErlangSource::default()
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
            Some((flag, _)) => Err(Diagnostic::does_not_apply(flag, "no process may crash")
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
        send_after_timeout: erlang.send_after_timeout,
        timer_firings_max: erlang.timer_firings_max,
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
