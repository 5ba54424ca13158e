//! The locker of the fault-tolerance paper: its numbers, and those of its variants, come out exactly.

mod support;

use foresee_algebra::{Options, load};
use support::{explore, space, spec};

/// The text with one part replaced, which must be there.
fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old}");
    text.replace(old, new)
}

const HANDLE_INFO: &str =
    "(gen_server_reply(hd(remove(Pid, State)), ok, Self).Server(Self, remove(Pid, State))
       <| available(Pid, State) |>
       Server(Self, remove(Pid, State)))";

/// Clients that say when they use what is locked.
fn with_use(text: &str) -> String {
    with(text, "  crash, gsinfo", "  use, free: Term\n  crash, gsinfo")
}

#[test]
fn two_clients_without_crashes() {
    let plain = spec("locker");
    let found = space(&plain);
    assert_eq!(found.size(), (33, 48));
    assert_eq!(found.n_deadlocks(), 0);
    let text = with(&plain, "  gshcall,", "  use, free: Term\n  gshcall,");
    let text = with(
        &text,
        "    gen_server_call(locker, release",
        "    use(Self).free(Self).gen_server_call(locker, release",
    );
    assert_eq!(space(&text).size(), (49, 76));
}

#[test]
fn two_crashing_clients() {
    let found = space(&spec("locker_crash"));
    assert_eq!(found.size(), (326, 584));
    assert_eq!(found.n_classes(), 229);
}

#[test]
fn a_server_that_ignores_exits() {
    // The position after `info` is one of its own, though all that happens there is calling the main loop.
    let text = with(&spec("locker_crash"), HANDLE_INFO, "Ignored(Self, State, Pid)");
    let text =
        with(&text, "proc\n", "proc\n  Ignored(Self, State, Pid: Term) = Server(Self, State)\n");
    assert_eq!(space(&text).size(), (324, 574));
}

#[test]
fn a_server_that_handles_exits_wrongly() {
    let wrong = "(Server(Self, nil) <| eq(remove(Pid, State), nil) |>
       gen_server_reply(hd(remove(Pid, State)), ok, Self).Server(Self, remove(Pid, State)))";
    let text = with(&spec("locker_crash"), HANDLE_INFO, wrong);
    assert_eq!(space(&text).size(), (362, 640));
}

#[test]
fn crashing_clients_that_say_when_they_use_it() {
    let text = with_use(&spec("locker_crash"));
    let release = "+ gen_server_call(locker, release, Self)";
    let between =
        with(&text, release, "+ use(Self).free(Self).gen_server_call(locker, release, Self)");
    assert_eq!(space(&between).size(), (378, 684));
    // The client may also crash while it uses the lock and before it releases it.
    let text = with(
        &text,
        release,
        "+ use(Self).(crash(locker, exit(Self)).delta + free(Self).(crash(locker, exit(Self)).delta
            + gen_server_call(locker, release, Self)",
    );
    let text = with(&text, "+ Client(Self)))))))", "+ Client(Self)))))))))");
    assert_eq!(space(&text).size(), (378, 736));
}

#[test]
fn positions_can_be_merged() {
    let options = Options { merge_positions: true, ..Options::default() };
    let text = spec("locker_crash");
    let (merged, plain) =
        (explore(&load(&text, options).expect("no problems"), 1000), space(&text));
    assert_eq!(merged.size(), (283, 528));
    assert!(merged.is_bisimilar_to(&plain));
}
