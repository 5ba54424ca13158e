//! What a program may ask about the system it runs on. Nothing of it depends on the machine: the answers are fixed, as
//! if an OTP 25 with one scheduler had just started and used neither time nor memory. A question that has no fixed
//! answer (allocators, topology, accounting) is reported rather than answered.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Map, Term};

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "system_info", 1, system_info),
    pure("erlang", "system_flag", 2, system_flag),
    pure("erlang", "memory", 0, memory),
    pure("erlang", "memory", 1, memory),
    pure("erlang", "system_monitor", 0, |_, _| Ok(a!("undefined"))),
    pure("erlang", "system_profile", 0, |_, _| Ok(a!("undefined"))),
    pure("erlang", "loaded", 0, loaded),
    pure("erlang", "ports", 0, |_, _| Ok(Term::Nil)),
    pure("erlang", "garbage_collect", 2, |_, _| Ok(Term::bool(true))),
    pure("erlang", "check_process_code", 2, |_, _| Ok(Term::bool(false))),
    pure("erlang", "check_old_code", 1, |_, _| Ok(Term::bool(false))),
    pure("erlang", "fun_info", 1, fun_info),
    pure("erlang", "universaltime_to_posixtime", 1, universaltime_to_posixtime),
    pure("code", "root_dir", 0, |_, _| Ok(Term::string("/"))),
    pure("code", "lib_dir", 0, |_, _| Ok(Term::string("/lib"))),
    pure("code", "where_is_file", 1, |_, _| Ok(a!("non_existing"))),
    pure("code", "del_path", 1, |_, _| Ok(Term::bool(false))),
    pure("code", "delete", 1, |_, _| Ok(Term::bool(false))),
    pure("code", "is_sticky", 1, |_, _| Ok(Term::bool(false))),
    pure("os", "env", 0, |_, _| Ok(Term::Nil)),
];

enum Fact {
    Int(i64),
    Atom(&'static str),
    Text(&'static str),
    Empty,
}

const FACTS: &[(&str, Fact)] = &[
    // The oracle's: what prints and raises what here is what does there.
    ("otp_release", Fact::Text("25")),
    ("version", Fact::Text("13.1.5")),
    ("nif_version", Fact::Text("2.16")),
    ("driver_version", Fact::Text("3.3")),
    ("machine", Fact::Text("BEAM")),
    ("system_architecture", Fact::Text("foresee")),
    ("system_version", Fact::Text("Erlang/OTP 25 [erts-13.1.5] [64-bit] [smp:1:1]\n")),
    ("compat_rel", Fact::Int(25)),
    ("schedulers", Fact::Int(1)),
    ("schedulers_online", Fact::Int(1)),
    ("scheduler_id", Fact::Int(1)),
    ("logical_processors", Fact::Int(1)),
    ("logical_processors_available", Fact::Int(1)),
    ("logical_processors_online", Fact::Int(1)),
    ("dirty_cpu_schedulers", Fact::Int(1)),
    ("dirty_cpu_schedulers_online", Fact::Int(1)),
    ("dirty_io_schedulers", Fact::Int(10)),
    ("thread_pool_size", Fact::Int(1)),
    ("wordsize", Fact::Int(8)),
    ("process_limit", Fact::Int(262_144)),
    ("process_count", Fact::Int(1)),
    ("port_limit", Fact::Int(65_536)),
    ("port_count", Fact::Int(0)),
    ("atom_limit", Fact::Int(1_048_576)),
    ("atom_count", Fact::Int(10_000)),
    ("ets_limit", Fact::Int(8192)),
    ("ets_count", Fact::Int(0)),
    ("creation", Fact::Int(0)),
    ("start_time", Fact::Int(0)),
    ("end_time", Fact::Int(8_646_911_283_000_000_000)),
    ("dist_buf_busy_limit", Fact::Int(1_048_576)),
    ("delayed_node_table_gc", Fact::Int(60)),
    ("trace_control_word", Fact::Int(0)),
    ("dist_ctrl", Fact::Empty),
    ("normal_multi_scheduling_blockers", Fact::Empty),
    ("build_type", Fact::Atom("opt")),
    ("debug_compiled", Fact::Atom("false")),
    ("dynamic_trace", Fact::Atom("none")),
    ("endian", Fact::Atom("little")),
    ("heap_type", Fact::Atom("private")),
    ("kernel_poll", Fact::Atom("true")),
    ("message_queue_data", Fact::Atom("on_heap")),
    ("modified_timing_level", Fact::Atom("undefined")),
    ("multi_scheduling", Fact::Atom("disabled")),
    ("port_parallelism", Fact::Atom("false")),
    ("scheduler_bind_type", Fact::Atom("unbound")),
    ("smp_support", Fact::Atom("true")),
    ("threads", Fact::Atom("true")),
    ("time_correction", Fact::Atom("true")),
    ("time_offset", Fact::Atom("final")),
    ("time_warp_mode", Fact::Atom("no_time_warp")),
    ("tolerant_timeofday", Fact::Atom("enabled")),
];

/// Questions whose answers are about a real machine.
const REAL: [&str; 24] = [
    "alloc_util_allocators",
    "allocated_areas",
    "allocator",
    "c_compiler_used",
    "check_io",
    "cpu_topology",
    "dist",
    "dynamic_trace_probes",
    "eager_check_io",
    "emu_flavor",
    "emu_type",
    "ets_realloc_moves",
    "garbage_collection",
    "heap_sizes",
    "info",
    "loaded",
    "multi_scheduling_blockers",
    "os_monotonic_time_source",
    "os_system_time_source",
    "outstanding_system_requests_limit",
    "procs",
    "scheduler_bindings",
    "system_logger",
    "update_cpu_info",
];

fn pair(key: &str, value: Term) -> Term {
    Term::tuple([Term::atom(key), value])
}

fn system_info(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    if let Some([kind, _]) = args[0].as_tuple() {
        return match arg(kind.as_atom())?.text() {
            "wordsize" => Ok(Term::Int(8)),
            _ => Err(Raise::unmodelled(format!("erlang:system_info({})", args[0]))),
        };
    }
    let name = arg(args[0].as_atom())?.text();
    if REAL.contains(&name) {
        return Err(Raise::unmodelled(format!("erlang:system_info({name})")));
    }
    Ok(match name {
        "fullsweep_after" => pair("fullsweep_after", Term::Int(65_535)),
        "min_heap_size" => pair("min_heap_size", Term::Int(233)),
        "min_bin_vheap_size" => pair("min_bin_vheap_size", Term::Int(46_422)),
        "max_heap_size" => Term::map(Map::from_pairs([
            (a!("error_logger"), Term::bool(true)),
            (a!("kill"), Term::bool(true)),
            (a!("size"), Term::Int(0)),
        ])),
        _ => match arg(FACTS.iter().find(|(own, _)| *own == name))? {
            (_, Fact::Int(n)) => Term::Int(*n),
            (_, Fact::Atom(text)) => Term::atom(text),
            (_, Fact::Text(text)) => Term::string(text),
            (_, Fact::Empty) => Term::Nil,
        },
    })
}

fn system_flag(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::unmodelled(format!("erlang:system_flag({}, …)", args[0])))
}

/// Accounts that stand still; those of time are in `clock`.
pub(super) fn statistics(args: &[Term]) -> Outcome {
    let zero = || Term::Int(0);
    Ok(match arg(args[0].as_atom())?.text() {
        "reductions" | "exact_reductions" | "context_switches" => Term::tuple([zero(), zero()]),
        "garbage_collection" => Term::tuple([zero(), zero(), zero()]),
        "io" => Term::tuple([pair("input", zero()), pair("output", zero())]),
        "run_queue" | "total_run_queue_lengths" | "total_run_queue_lengths_all" => zero(),
        "total_active_tasks" | "total_active_tasks_all" => Term::Int(1),
        "run_queue_lengths" | "run_queue_lengths_all" => Term::list([zero()]),
        "active_tasks" | "active_tasks_all" => Term::list([Term::Int(1)]),
        "scheduler_wall_time" | "scheduler_wall_time_all" => a!("undefined"),
        name @ "microstate_accounting" => {
            return Err(Raise::unmodelled(format!("erlang:statistics({name})")));
        }
        _ => return Err(Raise::badarg()),
    })
}

const AREAS: [&str; 9] = [
    "total",
    "processes",
    "processes_used",
    "system",
    "atom",
    "atom_used",
    "binary",
    "code",
    "ets",
];

/// A run has no memory of its own to speak of: every area is empty.
fn memory(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let known = |area: &Term| area.as_atom().is_some_and(|area| AREAS.contains(&area.text()));
    let Some(wanted) = args.first() else {
        let areas = AREAS.iter().map(|area| pair(area, Term::Int(0)));
        return Ok(Term::list(areas.collect::<Vec<_>>()));
    };
    if let Some(areas) = wanted.to_vec() {
        arg(areas.iter().all(known).then_some(()))?;
        let entries = areas.into_iter().map(|area| Term::tuple([area, Term::Int(0)]));
        return Ok(Term::list(entries.collect::<Vec<_>>()));
    }
    arg(known(wanted).then_some(Term::Int(0)))
}

fn loaded(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    let modules = local.program.modules().iter().map(|module| Term::Atom(*module));
    Ok(Term::list(modules.collect::<Vec<_>>()))
}

fn fun_info(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let Term::Fun(fun) = &args[0] else { return Err(Raise::badarg()) };
    let external = matches!(fun.kind, crate::term::FunKind::External { .. });
    Ok(Term::list([
        pair("module", Term::Atom(fun.module())),
        pair("name", Term::Atom(fun.name())),
        pair("arity", Term::Int(i64::from(fun.arity))),
        pair("env", Term::list(fun.environment().to_vec())),
        pair("type", if external { a!("external") } else { a!("local") }),
    ]))
}

/// Days from 1970 to a date. After Howard Hinnant, "chrono-compatible low-level date algorithms".
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn universaltime_to_posixtime(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let numbers = |term: &Term| -> Option<[i64; 3]> {
        let parts = term.as_tuple()?;
        let [a, b, c] = parts else { return None };
        Some([a.as_int()?, b.as_int()?, c.as_int()?])
    };
    let Some([date, time]) = args[0].as_tuple() else { return Err(Raise::badarg()) };
    let ([year, month, day], [h, m, s]) = (arg(numbers(date))?, arg(numbers(time))?);
    arg(((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(()))?;
    Ok(Term::Int(days(year, month, day) * 86_400 + h * 3600 + m * 60 + s))
}
