//! Options that a module carries itself: `-foresee_options([…])`, and those written for Concuerror, so that such a module works
//! unchanged. Plain ones yield to the command line; those of `-concuerror_options_forced` do not.
//! Options about how runs are searched are for the engines that have such a choice and pass by here without a word.

use super::{ErlangOptions, Ignored};
use foresee_erlang_syntax::tree::{Expr, ExprKind};
use foresee_erlang_syntax::{Parse, print_expr};

/// Options that mean something to a search of interleavings, or to how it is shown.
const ELSEWHERE: &[&str] = &[
    "assume_racing",
    "depth_bound",
    "disable_sleep_sets",
    "dpor",
    "interleaving_bound",
    "keep_going",
    "log_all",
    "non_racing_system",
    "print_depth",
    "scheduling",
    "scheduling_bound",
    "scheduling_bound_type",
    "show_races",
    "strict_scheduling",
    "symbolic_names",
    "timeout",
    "use_receive_patterns",
];

/// Adds what the module asks for to what was asked; answers notes about what has no meaning here.
pub(super) fn apply(parse: &Parse, options: &mut ErlangOptions) -> Vec<String> {
    let mut notes = Vec::new();
    for (attribute, is_forced) in [
        ("foresee_options", false),
        ("concuerror_options", false),
        ("concuerror_options_forced", true),
    ] {
        for value in parse.module.attributes(attribute) {
            for option in elements(value) {
                if let Some(what) = apply_one(option, is_forced, options) {
                    let place = parse.sources.place(option.span);
                    notes.push(format!("{place}: `{what}` of -{attribute} has no meaning here"));
                }
            }
        }
    }
    notes
}

/// Applies one option; answers its name if it has no meaning.
fn apply_one(option: &Expr, is_forced: bool, options: &mut ErlangOptions) -> Option<String> {
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
        other if ELSEWHERE.contains(&other) => {}
        other => return Some(other.to_owned()),
    }
    None
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
        let notes = apply(&parse, &mut options);
        (options, notes)
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
