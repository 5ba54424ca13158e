//! Options that a module carries itself: `-foresee_options([…])`, and those written for Concuerror, so that such a module works
//! unchanged. Plain ones yield to the command line; those of `-concuerror_options_forced` do not.
//! Options about how interleavings are explored are for the engine that does; those about how it is shown pass by without a
//! word.

use super::{ErlangOptions, Ignored};
use crate::{BoundKind, Dpor, InterleavingOptions, Scheduling};
use foresee_erlang_syntax::tree::{Expr, ExprKind};
use foresee_erlang_syntax::{Parse, print_expr};

/// Options about what is shown and how, and about processes that are not there: understood, and nothing to do.
const NOTHING_TO_DO: &[&str] = &[
    "assume_racing",
    "log_all",
    "non_racing_system",
    "print_depth",
    "show_races",
    "symbolic_names",
];

/// What a module says about the exploration of interleavings: what it insists on, and what it wishes.
type Said = (InterleavingOptions, InterleavingOptions);

/// Adds what the module asks for to what was asked; answers notes about what has no meaning here, and what is asked of the
/// engine.
pub(super) fn apply(parse: &Parse, options: &mut ErlangOptions) -> (Vec<String>, Said) {
    let mut notes = Vec::new();
    let mut said = Said::default();
    for (attribute, is_forced) in [
        ("foresee_options", false),
        ("concuerror_options", false),
        ("concuerror_options_forced", true),
    ] {
        for value in parse.module.attributes(attribute) {
            for option in elements(value) {
                let interleavings = if is_forced { &mut said.0 } else { &mut said.1 };
                if let Some(what) = apply_one(option, is_forced, options, interleavings) {
                    let place = parse.sources.place(option.span);
                    notes.push(format!("{place}: `{what}` of -{attribute} has no meaning here"));
                }
            }
        }
    }
    (notes, said)
}

/// Applies one option; answers its name if it has no meaning.
fn apply_one(
    option: &Expr,
    is_forced: bool,
    options: &mut ErlangOptions,
    interleavings: &mut InterleavingOptions,
) -> Option<String> {
    let (key, value) = match &option.kind {
        ExprKind::Atom(key) => (key, None),
        ExprKind::Tuple(pair) => match pair.as_slice() {
            [key, value] => (key.as_atom()?, Some(value)),
            _ => return Some(print_expr(option)),
        },
        _ => return Some(print_expr(option)),
    };
    let is_on = value.and_then(Expr::as_atom).is_none_or(|word| *word != "false");
    match key.as_str() {
        "treat_as_normal" => {
            options.normal_reasons.extend(value.into_iter().flat_map(elements).map(print_expr))
        }
        "ignore_error" => {
            let words = value.into_iter().flat_map(elements).filter_map(Expr::as_atom);
            options.ignored.extend(words.filter_map(|word| Ignored::parse(word)));
        }
        "after_timeout" if is_forced || options.after_timeout.is_none() => {
            options.after_timeout = value.and_then(number);
        }
        "instant_delivery" if is_forced || options.instant_delivery => {
            options.instant_delivery = is_on;
        }
        "assertions_only" if is_forced => options.assertions_only = is_on,
        "assertions_only" => options.assertions_only |= is_on,
        "first_process_errors_only" if is_forced => options.first_process_errors_only = is_on,
        "first_process_errors_only" => options.first_process_errors_only |= is_on,
        "after_timeout" | "instant_delivery" => {}
        other if NOTHING_TO_DO.contains(&other) => {}
        other => return ask_engine(other, value, is_on, interleavings).err(),
    }
    None
}

/// One option for the engine of interleavings; an error names what is not understood.
fn ask_engine(
    key: &str,
    value: Option<&Expr>,
    is_on: bool,
    asked: &mut InterleavingOptions,
) -> Result<(), String> {
    let word = value.and_then(Expr::as_atom).map(|word| word.as_str());
    let number = value.and_then(number);
    let unknown = || match word {
        Some(word) => format!("{{{key}, {word}}}"),
        None => key.to_owned(),
    };
    match key {
        "dpor" => {
            asked.dpor = Some(match word {
                Some("optimal") => Dpor::Optimal,
                Some("source") => Dpor::Source,
                Some("persistent") => Dpor::Persistent,
                Some("none") => Dpor::None,
                _ => return Err(unknown()),
            });
        }
        "scheduling_bound" => asked.bound = number.and_then(|it| it.try_into().ok()),
        "scheduling_bound_type" => {
            asked.bound_kind = match word {
                Some("delay" | "simple" | "ubpor") => Some(BoundKind::Delay),
                Some("bpor") => Some(BoundKind::Preemption),
                Some("none") => None,
                _ => return Err(unknown()),
            };
        }
        "depth_bound" => asked.depth_max = number.and_then(|it| it.try_into().ok()),
        "interleaving_bound" => asked.interleavings_max = number,
        "timeout" => asked.time_max = number.map(std::time::Duration::from_millis),
        "use_receive_patterns" => asked.observers = Some(is_on),
        "keep_going" => asked.keep_going = Some(is_on),
        "strict_scheduling" => asked.strict_scheduling = Some(is_on),
        "disable_sleep_sets" => asked.sleep_sets = Some(!is_on),
        "scheduling" => {
            asked.scheduling = Some(match word {
                Some("oldest") => Scheduling::Oldest,
                Some("newest") => Scheduling::Newest,
                Some("round_robin") => Scheduling::RoundRobin,
                _ => return Err(unknown()),
            });
        }
        _ => return Err(key.to_owned()),
    }
    Ok(())
}

/// Milliseconds; `infinity` is no limit.
fn number(value: &Expr) -> Option<u64> {
    match &value.kind {
        ExprKind::Integer(number) => number.to_i64()?.try_into().ok(),
        _ => None,
    }
}

/// The elements of a list, or the one thing that is no list.
fn elements(value: &Expr) -> impl Iterator<Item = &Expr> {
    match &value.kind {
        ExprKind::List { elements, .. } => elements.iter(),
        _ => std::slice::from_ref(value).iter(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_erlang_syntax::{Options, no_includes, parse_file};

    fn applied(text: &str, mut options: ErlangOptions) -> (ErlangOptions, Vec<String>) {
        let parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
        let (notes, _) = apply(&parse, &mut options);
        (options, notes)
    }

    #[test]
    fn how_interleavings_are_explored_is_for_the_engine() {
        let text = "-module(m).\n-concuerror_options([{dpor, source}, {scheduling_bound, 2}, keep_going]).\n\
                    -concuerror_options_forced([{depth_bound, 40}, {use_receive_patterns, false}]).\n";
        let parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
        let (notes, (insisted, wished)) = apply(&parse, &mut ErlangOptions::default());
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!((insisted.depth_max, insisted.observers), (Some(40), Some(false)));
        assert_eq!((wished.dpor, wished.bound), (Some(Dpor::Source), Some(2)));
        assert_eq!((wished.keep_going, wished.depth_max), (Some(true), None));
    }

    #[test]
    fn options_of_a_module_are_added_to_those_given() {
        let text = "-module(m).\n-concuerror_options([{treat_as_normal, [shutdown, {a, 1}]}, {after_timeout, 500},\n\
                    {ignore_error, deadlock}, assertions_only, {dpor, source}, {depth_bound, 10}]).\n";
        let (options, notes) = applied(text, ErlangOptions::default());
        assert_eq!(options.normal_reasons, ["shutdown", "{a, 1}"]);
        assert_eq!((options.after_timeout, options.assertions_only), (Some(500), true));
        assert_eq!((options.ignored, notes), (vec![Ignored::Deadlock], Vec::new()));
    }

    #[test]
    fn plain_ones_yield_and_forced_ones_do_not() {
        let given = ErlangOptions { after_timeout: Some(9), ..ErlangOptions::default() };
        let plain = "-module(m).\n-foresee_options({after_timeout, 500}).\n";
        assert_eq!(applied(plain, given.clone()).0.after_timeout, Some(9));
        let forced = "-module(m).\n-concuerror_options_forced([{after_timeout, 500}]).\n";
        assert_eq!(applied(forced, given).0.after_timeout, Some(500));
    }

    #[test]
    fn what_nobody_knows_is_noted() {
        let text = "-module(m).\n-foresee_options([{colour, red}]).\n";
        let (_, notes) = applied(text, ErlangOptions::default());
        assert_eq!(notes, ["m.erl:2:19: `colour` of -foresee_options has no meaning here"]);
    }
}
