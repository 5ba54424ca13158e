//! Completion: scripts for shells, and what may come next on a line as far as only this binary knows it.
//! Why beside the generated scripts: those know commands, flags and fixed values. The names of systems, their parameters, guides and
//! properties are known when the binary runs, and differ from binary to binary; so the scripts ask it (`foresee complete LINE`).

use clap_complete::Shell;
use foresee_session::{Entry, NoFiles, Registry, Source, open};

/// The commands whose first word may be a system.
const COMMANDS: [&str; 7] = ["check", "simulate", "lts", "verify", "debug", "run", "systems"];

/// The script for a shell.
pub(crate) fn script(shell: Shell, command: &mut clap::Command, program: &str) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, command, program, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    let more = match shell {
        Shell::Bash => BASH,
        Shell::Zsh => ZSH,
        Shell::Fish => FISH,
        _ => "",
    };
    let function = program.replace('-', "__");
    script.push_str(&more.replace("PROGRAM", program).replace("FUNCTION", &function));
    script
}

/// `=` ends a word in bash, so what stands before it is not repeated in a reply there.
const BASH: &str = r#"
_FUNCTION_asking() {
    _FUNCTION "$@"
    local line="${COMP_LINE:0:$COMP_POINT}" word reply
    word="${line##* }"
    while IFS= read -r reply; do
        [[ "$word" == *=* ]] && reply="${reply#*=}"
        [[ -n "$reply" ]] && COMPREPLY+=("$reply")
    done < <(PROGRAM complete -- "${line#* }" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
    return 0
}
complete -F _FUNCTION_asking -o nosort -o bashdefault -o default PROGRAM
"#;

const ZSH: &str = r#"
_FUNCTION_asking() {
    local -a known
    known=("${(@f)$(PROGRAM complete -- "${(j: :)words[2,CURRENT]}" 2>/dev/null)}")
    (( $#known )) && [[ -n "$known[1]" ]] && compadd -S '' -- $known
    _PROGRAM "$@"
}
compdef _FUNCTION_asking PROGRAM
"#;

const FISH: &str = r#"
complete -c PROGRAM -a "(PROGRAM complete -- (string join ' ' (commandline -opc)[2..] (commandline -ct)) 2>/dev/null)"
"#;

/// What may stand in the place of the last word of `line`: systems, parameters, and values of `--guide` and `--invariant`.
pub(crate) fn candidates(registry: &Registry, line: &str) -> Vec<String> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let last = if line.ends_with(char::is_whitespace) { "" } else { words.pop().unwrap_or("") };
    let Some((command, given)) = words.split_first() else { return Vec::new() };
    if !COMMANDS.contains(command) {
        return Vec::new();
    }
    let known = given.iter().find_map(|word| registry.find(word).ok());
    let flag = given.last().copied().unwrap_or_default();
    let all = match (known, flag) {
        (Some(entry), "--guide") => {
            entry.guides().iter().map(|guide| guide.title.to_owned()).collect()
        }
        (Some(entry), "--invariant") => properties(registry, entry, given),
        _ if last.starts_with('-') => Vec::new(),
        (Some(entry), _) if *command != "systems" => parameters(entry, given, last),
        (Some(_), _) => Vec::new(),
        (None, _) => registry.entries().iter().map(|entry| entry.name.to_owned()).collect(),
    };
    all.into_iter().filter(|word| word.starts_with(last)).collect()
}

/// `bug=`, and once that is typed `bug=none`, `bug=hasty`; those that are given already are not.
fn parameters(entry: &Entry, given: &[&str], last: &str) -> Vec<String> {
    let is_given = |name: &str| {
        given.iter().any(|word| word.split_once('=').is_some_and(|(own, _)| own == name))
    };
    let open = entry.parameters.iter().filter(|parameter| !is_given(parameter.name));
    let words = open.flat_map(|parameter| {
        let lead = format!("{}=", parameter.name);
        let values = match last.starts_with(&lead) {
            true => parameter.words(),
            false => vec![String::new()],
        };
        values.into_iter().map(move |value| format!("{lead}{value}"))
    });
    words.collect()
}

fn properties(registry: &Registry, entry: &Entry, given: &[&str]) -> Vec<String> {
    let words: Vec<&str> = given.iter().copied().filter(|word| word.contains('=')).collect();
    let source = Source::nodes(entry.name, &words);
    let loaded = open(&source, registry, &NoFiles).and_then(|it| it.chosen_properties(&[]));
    loaded.unwrap_or_default().iter().map(|property| property.name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_parameters_values_guides_and_properties() {
        let registry = Registry::stock();
        let cases: [(&str, &[&str]); 9] = [
            ("check pi", &["ping"]),
            ("check paxos cl", &["clients="]),
            ("check paxos bug=", &["bug=none", "bug=stubborn", "bug=forgetful", "bug=hasty"]),
            ("check paxos bug=hasty bu", &[]),
            ("check paxos --guide ", &["a forgotten promise"]),
            ("check paxos --invariant lin", &["linearizable"]),
            ("check --states-max 3 two", &["two-phase-commit"]),
            ("check paxos --st", &[]),
            ("explain pa", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(candidates(&registry, line), expected, "{line}");
        }
        assert!(candidates(&registry, "check ").len() >= 4);
        assert_eq!(candidates(&registry, "che"), [""; 0]);
    }
}
