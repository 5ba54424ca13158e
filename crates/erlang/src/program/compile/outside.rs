//! What reaches out of the checked world, and what to do instead, for the help of a diagnostic.
//! Only advice: whether a function is modelled is decided by the table of built-ins and the modules given, not here.

/// Modules, and the advice for all of their functions.
const MODULES: &[(&[&str], &str)] = &[
    (
        &["net_adm", "net_kernel", "rpc", "erpc", "peer", "slave", "ct_slave", "global_group"],
        "a program is checked on one node; let a process play the part of the other node",
    ),
    (
        &["file", "filelib", "file_io_server", "prim_file", "disk_log", "dets", "zip", "erl_tar"],
        "files are outside of the checked world; let the test define what would be read",
    ),
    (
        &["gen_tcp", "gen_udp", "gen_sctp", "inet", "inet_res", "ssl", "socket", "httpc", "ssh"],
        "sockets are outside of the checked world; let a process play the part of the other side",
    ),
    (&["os", "erl_ddll", "init"], "the machine is outside of the checked world"),
];

/// Functions of `erlang`, and the advice for each.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (
        &["load_nif", "nif_error"],
        "native code cannot be checked; write the functions in Erlang, in the test or in a module of the same name",
    ),
    (
        &[
            "open_port",
            "port_close",
            "port_command",
            "port_connect",
            "port_control",
            "port_call",
            "port_info",
            "ports",
        ],
        "ports are outside of the checked world; let a process play the part of the other program",
    ),
    (
        &["monitor_node", "disconnect_node", "set_cookie", "get_cookie"],
        "a program is checked on one node; let a process play the part of the other node",
    ),
];

/// What to do about a call that is not modelled, if it is of a kind that never will be.
pub(crate) fn advice(module: &str, function: &str) -> Option<&'static str> {
    let of_module = MODULES.iter().find(|(names, _)| names.contains(&module));
    let of_function =
        FUNCTIONS.iter().find(|(names, _)| module == "erlang" && names.contains(&function));
    of_module.or(of_function).map(|(_, advice)| *advice)
}
