//! Reading clocks (`crate::world::clock`), and the environment: `os`, `code`, `init`.
//! A run knows no zone, no environment variables, no command line and no files, so that it is the same everywhere. What would
//! need an operating system is reported, not imitated.

use super::system::parts_per_second;
use super::{Builtin, Outcome, Run, arg, ok, pure, truth};
use crate::machine::{Local, Raise};
use crate::term::{Term, number};
use crate::world::clock::{Reading, still};

/// A function that reads the clock: an event where clocks move, and otherwise what the run's virtual time says.
macro_rules! clock {
    ($module:literal, $name:literal, $arity:literal, $read:path) => {
        Builtin {
            module: $module,
            name: $name,
            arity: $arity,
            run: Run::Either {
                is_event: |moves, _| moves,
                pure: |local, args| still(local.now_ms, |reading| $read(reading, args)),
                visible: |step, args| step.read_clock(|reading| $read(reading, args))?,
                touches: |_, _, touched| touched.reads_clock(),
            },
            raises: false,
            joins: false,
            walks: false,
        }
    };
}

pub(super) const TABLE: &[Builtin] = &[
    clock!("erlang", "monotonic_time", 0, time_in_unit),
    clock!("erlang", "monotonic_time", 1, time_in_unit),
    clock!("erlang", "system_time", 0, time_in_unit),
    clock!("erlang", "system_time", 1, time_in_unit),
    clock!("os", "system_time", 0, time_in_unit),
    clock!("os", "system_time", 1, time_in_unit),
    clock!("os", "perf_counter", 0, time_in_unit),
    clock!("os", "perf_counter", 1, time_in_unit),
    clock!("os", "timestamp", 0, timestamp),
    clock!("erlang", "timestamp", 0, timestamp),
    Builtin {
        module: "erlang",
        name: "now",
        arity: 0,
        run: Run::Either {
            is_event: |moves, _| moves,
            pure: unique_now,
            visible: |step, args| step.read_clock(|reading| timestamp(reading, args))?,
            touches: |_, _, touched| touched.reads_clock(),
        },
        raises: false,
        joins: false,
        walks: false,
    },
    clock!("erlang", "date", 0, date),
    clock!("erlang", "time", 0, time),
    clock!("erlang", "localtime", 0, date_time),
    clock!("erlang", "universaltime", 0, date_time),
    Builtin {
        module: "erlang",
        name: "statistics",
        arity: 1,
        run: Run::Either {
            is_event: |moves, args| moves && account_of(args).is_some(),
            pure: |local, args| still(local.now_ms, |reading| statistics(reading, args)),
            visible: |step, args| step.read_clock(|reading| statistics(reading, args))?,
            touches: |_, _, touched| touched.reads_clock(),
        },
        raises: false,
        joins: false,
        walks: false,
    },
    pure("gen", "foresee_seconds", 0, |local, _| Ok(Term::Int((local.now_ms / 1000) as i64))),
    pure("erlang", "localtime_to_universaltime", 1, same),
    pure("erlang", "localtime_to_universaltime", 2, same),
    pure("erlang", "universaltime_to_localtime", 1, same),
    pure("erlang", "posixtime_to_universaltime", 1, from_seconds),
    pure("os", "getenv", 0, empty),
    pure("os", "getenv", 1, getenv),
    pure("os", "getenv", 2, getenv),
    pure("os", "putenv", 2, unmodelled_environment),
    pure("os", "unsetenv", 1, unmodelled_environment),
    pure("os", "getpid", 0, getpid),
    pure("os", "type", 0, os_type),
    pure("os", "version", 0, os_version),
    pure("os", "cmd", 1, cmd),
    pure("os", "cmd", 2, cmd),
    pure("os", "find_executable", 1, |_, _| truth(false)),
    pure("os", "find_executable", 2, |_, _| truth(false)),
    pure("os", "set_signal", 2, |_, _| ok()),
    pure("init", "get_argument", 1, |_, _| Ok(a!("error"))),
    pure("init", "get_arguments", 0, empty),
    pure("init", "get_plain_arguments", 0, empty),
    pure("init", "get_status", 0, |_, _| Ok(Term::tuple([a!("started"), a!("started")]))),
    pure("init", "script_id", 0, |_, _| {
        Ok(Term::tuple([Term::string("Erlang/OTP"), Term::string("27")]))
    }),
    pure("code", "is_loaded", 1, is_loaded),
    pure("code", "which", 1, which),
    pure("code", "load_file", 1, load_file),
    pure("code", "ensure_modules_loaded", 1, ensure_modules_loaded),
    pure("code", "purge", 1, |_, _| truth(false)),
    pure("code", "soft_purge", 1, |_, _| truth(true)),
    pure("code", "get_mode", 0, |_, _| Ok(a!("interactive"))),
    pure("code", "get_path", 0, empty),
    pure("code", "add_path", 1, no_directory),
    pure("code", "add_patha", 1, no_directory),
    pure("code", "add_pathz", 1, no_directory),
    pure("code", "add_paths", 1, |_, _| ok()),
    pure("code", "add_pathsa", 1, |_, _| ok()),
    pure("code", "add_pathsz", 1, |_, _| ok()),
    pure("code", "objfile_extension", 0, |_, _| Ok(Term::string(".beam"))),
    pure("code", "lib_dir", 1, bad_name),
    pure("code", "lib_dir", 2, bad_name),
    pure("code", "priv_dir", 1, bad_name),
];

/// Days since 1970 as year, month, day. After Howard Hinnant, "chrono-compatible low-level date algorithms".
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn three(a: i64, b: i64, c: i64) -> Term {
    Term::tuple([Term::Int(a), Term::Int(b), Term::Int(c)])
}

fn date_of(seconds: i64) -> Term {
    let (year, month, day) = civil(seconds.div_euclid(86_400));
    three(year, month, day)
}

fn time_of(seconds: i64) -> Term {
    let of_day = seconds.rem_euclid(86_400);
    three(of_day / 3600, of_day % 3600 / 60, of_day % 60)
}

fn seconds(reading: &mut Reading<'_>) -> i64 {
    reading.in_small_parts(1)
}

fn date(reading: &mut Reading<'_>, _: &[Term]) -> Outcome {
    Ok(date_of(seconds(reading)))
}

fn time(reading: &mut Reading<'_>, _: &[Term]) -> Outcome {
    Ok(time_of(seconds(reading)))
}

fn date_time(reading: &mut Reading<'_>, _: &[Term]) -> Outcome {
    let now = seconds(reading);
    Ok(Term::tuple([date_of(now), time_of(now)]))
}

fn time_in_unit(reading: &mut Reading<'_>, args: &[Term]) -> Outcome {
    let parts = parts_per_second(args.first().unwrap_or(&a!("native")))?;
    Ok(number::integer(reading.in_parts(parts).into()))
}

/// Megaseconds, seconds, microseconds.
fn stamp(microseconds: i64) -> Term {
    let (mega, second) = (1_000_000_000_000, 1_000_000);
    three(microseconds / mega, microseconds / second % 1_000_000, microseconds % second)
}

fn timestamp(reading: &mut Reading<'_>, _: &[Term]) -> Outcome {
    Ok(stamp(reading.in_small_parts(1_000_000)))
}

/// `now/0` never gives the same twice, even where clocks stand still.
fn unique_now(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    local.n_unique += 1;
    Ok(stamp(local.now_ms as i64 * 1000 + i64::from(local.n_unique)))
}

fn account_of(args: &[Term]) -> Option<usize> {
    ["wall_clock", "runtime"]
        .iter()
        .position(|name| args[0].as_atom().is_some_and(|it| it.text() == *name))
}

fn statistics(reading: &mut Reading<'_>, args: &[Term]) -> Outcome {
    let Some(account) = account_of(args) else { return super::system_facts::statistics(args) };
    let (now, since) = reading.account(account);
    Ok(Term::tuple([Term::Int(now), Term::Int(since)]))
}

fn from_seconds(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let seconds = arg(args[0].as_int())?;
    Ok(Term::tuple([date_of(seconds), time_of(seconds)]))
}

/// Local time is universal time.
fn same(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let pair = arg(args[0].as_tuple().filter(|pair| pair.len() == 2))?;
    arg(pair.iter().all(|part| part.as_tuple().is_some_and(|p| p.len() == 3)).then_some(()))?;
    Ok(args[0].clone())
}

fn empty(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Nil)
}

fn getenv(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[0].to_text())?;
    Ok(args.get(1).cloned().unwrap_or_else(|| Term::bool(false)))
}

fn unmodelled_environment(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Err(Raise::unmodelled("changing the environment of the operating system".to_owned()))
}

fn getpid(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::string("1"))
}

fn os_type(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::tuple([a!("unix"), a!("linux")]))
}

fn os_version(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(three(0, 0, 0))
}

fn cmd(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::unmodelled(format!("os:cmd({})", args[0])))
}

fn is_loaded(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let module = args[0].as_atom().ok_or_else(|| Raise::error(a!("function_clause")))?;
    if !local.program.has_module(module) {
        return truth(false);
    }
    Ok(Term::tuple([a!("file"), a!("preloaded")]))
}

fn which(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let module = args[0].as_atom().ok_or_else(|| Raise::error(a!("function_clause")))?;
    Ok(if local.program.has_module(module) { a!("preloaded") } else { a!("non_existing") })
}

fn load_file(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let module = arg(args[0].as_atom())?;
    if local.program.has_module(module) {
        return Ok(Term::tuple([a!("module"), args[0].clone()]));
    }
    Ok(Term::tuple([a!("error"), a!("nofile")]))
}

fn ensure_modules_loaded(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut missing = Vec::new();
    for module in arg(args[0].to_vec())? {
        if !local.program.has_module(arg(module.as_atom())?) {
            missing.push(Term::tuple([module, a!("nofile")]));
        }
    }
    if missing.is_empty() {
        return ok();
    }
    Ok(Term::tuple([a!("error"), Term::list(missing)]))
}

/// There are no directories.
fn no_directory(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::tuple([a!("error"), a!("bad_directory")]))
}

fn bad_name(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_atom())?;
    Ok(Term::tuple([a!("error"), a!("bad_name")]))
}
