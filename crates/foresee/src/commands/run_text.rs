//! What `foresee run` prints: figures for people, one object for scripts.

use super::run::Done;
use foresee_nodes::Judgement;
use foresee_runtime::Ended;
use foresee_session::Report;
use serde_json::{Value, json};
use std::fmt::Write;

/// For people.
pub(super) fn text(done: &Done) -> String {
    let run = &done.run;
    let mut text = format!("{}\n", done.system);
    let ended = match run.ended {
        Ended::Quiet => "nothing was left to happen",
        Ended::Duration => "the time was up",
        Ended::Stopped => "it was told to stop",
        Ended::Killed => "it was told to stop at once",
    };
    let seconds = run.elapsed.as_secs_f64();
    let _ = writeln!(
        text,
        "ran {seconds:.3} s until {ended}; {:.3} s of processor time",
        run.cpu_seconds
    );
    if run.operations > 0 {
        let rate = run.operations_per_second();
        let _ = writeln!(
            text,
            "operations   {} ({rate:.0} a second, {} without an answer)",
            run.operations, run.pending
        );
        let it = run.latency;
        let _ = writeln!(
            text,
            "latency      p50 {:.1} µs, p99 {:.1} µs, p99.9 {:.1} µs, at most {:.1} µs",
            it.p50, it.p99, it.p999, it.max
        );
        let _ = writeln!(text, "messages     {:.2} an operation", run.messages_per_operation());
    }
    let _ = writeln!(
        text,
        "messages     {} sent, {} received from elsewhere, {} lost; {} timers fired",
        run.messages_sent, run.messages_received, run.messages_lost, run.timers_fired
    );
    for (node, message) in &run.failures {
        let _ = writeln!(text, "{node} panicked: {message}");
    }
    let _ = match &done.judgement {
        None => writeln!(text, "linearizable: not checked"),
        Some(Judgement::Linearizable) => writeln!(text, "linearizable: yes"),
        Some(Judgement::Unknown(why)) => writeln!(text, "linearizable: not known, {why}"),
        Some(Judgement::NotLinearizable(why)) => writeln!(text, "linearizable: no\n  {why}"),
    };
    text
}

/// For scripts: the fields of every report, and those of a run.
pub(super) fn json(report: &Report, done: &Done) -> Value {
    let run = &done.run;
    let mut value = serde_json::to_value(report).expect("plain data");
    let linearizable = match &done.judgement {
        Some(Judgement::Linearizable) => Some(true),
        Some(Judgement::NotLinearizable(_)) => Some(false),
        _ => None,
    };
    let rounded = |x: f64| (x * 1000.0).round() / 1000.0;
    let latency = json!({
        "p50": rounded(run.latency.p50),
        "p99": rounded(run.latency.p99),
        "p999": rounded(run.latency.p999),
        "max": rounded(run.latency.max),
    });
    let more = json!({
        "operations": run.operations,
        "operations_per_second": rounded(run.operations_per_second()),
        "operations_pending": run.pending,
        "latency_us": latency,
        "messages_per_operation": rounded(run.messages_per_operation()),
        "messages_sent": run.messages_sent,
        "messages_received": run.messages_received,
        "messages_lost": run.messages_lost,
        "bytes_sent": run.bytes_sent,
        "datagrams_sent": run.datagrams_sent,
        "timers_fired": run.timers_fired,
        "cpu_seconds": run.cpu_seconds,
        "linearizable": linearizable,
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut value, more) {
        all.extend(more);
    }
    value
}
