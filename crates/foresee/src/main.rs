//! The stock binary: the whole command line with the built-in systems and the labs' reference solutions.
//! Why here and not in `cli`: the facade is the one crate that knows every edge, so that no edge knows another.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: a cell is made by a process with one thread.
    if let Some(code) = foresee::labs::cell() {
        return code;
    }
    foresee::labs::stock().run()
}
