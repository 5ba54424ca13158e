//! Why a run is wrong, in lines: what happened, in which call with which arguments, and the calls that led there; of a deadlock
//! who waits where and how it came there.
//! Not here: the steps of the run (`run_text`).

use crate::units;
use foresee_session::{Call, Found, Raised, ViolationKind, call_words};

/// More calls than this are only counted.
const CALLS_MAX: usize = 6;
/// A longer call, reason or cause is shortened.
const CHARS_MAX: usize = 120;

/// Every line; with `is_whole`, nothing is shortened.
pub(crate) fn lines(found: &Found, is_whole: bool) -> Vec<String> {
    let details = &found.details;
    let mut message = found.message.lines().map(str::to_owned);
    let is_exit = matches!(found.kind, ViolationKind::AbnormalExit | ViolationKind::Assertion);
    if let Some(failure) = details.failure.as_ref().filter(|_| is_exit) {
        let mut lines: Vec<String> = message.next().into_iter().collect();
        lines.extend(failed(failure, is_whole));
        return lines;
    }
    if details.stuck.is_empty() || found.kind != ViolationKind::Deadlock {
        return message.collect();
    }
    let mut lines: Vec<String> = message.next().into_iter().collect();
    for waits in &details.stuck {
        lines.push(format!("{} {}", waits.member, waits.words));
        let calls = waits.calls.get(1..).unwrap_or_default();
        lines.extend(callers(calls, is_whole).into_iter().map(|line| format!("  {line}")));
    }
    lines.extend(details.circle.clone());
    lines
}

/// `in usab:deep({x,1}) at usab.erl:11`, and the calls that led there.
fn failed(failure: &Raised, is_whole: bool) -> Vec<String> {
    let chars_max = if is_whole { usize::MAX } else { CHARS_MAX };
    let cause = failure.cause.as_ref().map_or(String::new(), |cause| format!(": {cause}"));
    let (innermost, callers_of) = match (&failure.by, failure.calls.as_slice()) {
        (Some(by), [own, rest @ ..]) if failure.is_innermost => {
            let by = units::shortened(by, chars_max);
            let place = own.place.as_ref().map(|(file, line)| format!(" at {file}:{line}"));
            (Some(format!("{by}{}", place.unwrap_or_default())), rest)
        }
        (Some(by), calls) => (Some(units::shortened(by, chars_max)), calls),
        (None, [own, rest @ ..]) => (Some(call_words(own)), rest),
        (None, []) => (None, &[][..]),
    };
    let Some(innermost) = innermost else { return Vec::new() };
    let mut lines = vec![format!("in {innermost}{}", units::shortened(&cause, chars_max))];
    lines.extend(callers(callers_of, is_whole));
    lines
}

fn callers(calls: &[Call], is_whole: bool) -> Vec<String> {
    let shown = if is_whole { calls.len() } else { calls.len().min(CALLS_MAX) };
    let lines = calls[..shown].iter().map(|call| format!("called by {}", call_words(call)));
    let more = (shown < calls.len()).then(|| {
        let more = units::counted((calls.len() - shown) as u64, "more call");
        format!("… and {more}: --verbose")
    });
    lines.chain(more).collect()
}
