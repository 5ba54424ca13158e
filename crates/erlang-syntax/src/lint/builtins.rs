//! Functions of `erlang` that are called without a module, and those allowed in guards.

/// Name, numbers of arguments, numbers of arguments allowed in guards.
const AUTO_IMPORTED: &[(&str, &[u32], &[u32])] = &[
    ("abs", &[1], &[1]),
    ("alias", &[0, 1], &[]),
    ("apply", &[2, 3], &[]),
    ("atom_to_binary", &[1, 2], &[]),
    ("atom_to_list", &[1], &[]),
    ("binary_part", &[2, 3], &[2, 3]),
    ("binary_to_atom", &[1, 2], &[]),
    ("binary_to_existing_atom", &[1, 2], &[]),
    ("binary_to_float", &[1], &[]),
    ("binary_to_integer", &[1, 2], &[]),
    ("binary_to_list", &[1, 3], &[]),
    ("binary_to_term", &[1, 2], &[]),
    ("bit_size", &[1], &[1]),
    ("bitstring_to_list", &[1], &[]),
    ("byte_size", &[1], &[1]),
    ("ceil", &[1], &[1]),
    ("check_old_code", &[1], &[]),
    ("check_process_code", &[2, 3], &[]),
    ("date", &[0], &[]),
    ("delete_module", &[1], &[]),
    ("demonitor", &[1, 2], &[]),
    ("disconnect_node", &[1], &[]),
    ("element", &[2], &[2]),
    ("erase", &[0, 1], &[]),
    ("error", &[1, 2, 3], &[]),
    ("exit", &[1, 2], &[]),
    ("float", &[1], &[1]),
    ("float_to_binary", &[1, 2], &[]),
    ("float_to_list", &[1, 2], &[]),
    ("floor", &[1], &[1]),
    ("garbage_collect", &[0, 1, 2], &[]),
    ("get", &[0, 1], &[]),
    ("get_keys", &[0, 1], &[]),
    ("group_leader", &[0, 2], &[]),
    ("halt", &[0, 1, 2], &[]),
    ("hd", &[1], &[1]),
    ("integer_to_binary", &[1, 2], &[]),
    ("integer_to_list", &[1, 2], &[]),
    ("iolist_size", &[1], &[]),
    ("iolist_to_binary", &[1], &[]),
    ("is_alive", &[0], &[]),
    ("is_atom", &[1], &[1]),
    ("is_binary", &[1], &[1]),
    ("is_bitstring", &[1], &[1]),
    ("is_boolean", &[1], &[1]),
    ("is_float", &[1], &[1]),
    ("is_function", &[1, 2], &[1, 2]),
    ("is_integer", &[1], &[1]),
    ("is_list", &[1], &[1]),
    ("is_map", &[1], &[1]),
    ("is_map_key", &[2], &[2]),
    ("is_number", &[1], &[1]),
    ("is_pid", &[1], &[1]),
    ("is_port", &[1], &[1]),
    ("is_process_alive", &[1], &[]),
    ("is_record", &[2, 3], &[2, 3]),
    ("is_reference", &[1], &[1]),
    ("is_tuple", &[1], &[1]),
    ("length", &[1], &[1]),
    ("link", &[1], &[]),
    ("list_to_atom", &[1], &[]),
    ("list_to_binary", &[1], &[]),
    ("list_to_bitstring", &[1], &[]),
    ("list_to_existing_atom", &[1], &[]),
    ("list_to_float", &[1], &[]),
    ("list_to_integer", &[1, 2], &[]),
    ("list_to_pid", &[1], &[]),
    ("list_to_port", &[1], &[]),
    ("list_to_ref", &[1], &[]),
    ("list_to_tuple", &[1], &[]),
    ("load_module", &[2], &[]),
    ("make_ref", &[0], &[]),
    ("map_get", &[2], &[2]),
    ("map_size", &[1], &[1]),
    ("max", &[2], &[2]),
    ("min", &[2], &[2]),
    ("module_loaded", &[1], &[]),
    ("monitor", &[2, 3], &[]),
    ("monitor_node", &[2], &[]),
    ("node", &[0, 1], &[0, 1]),
    ("nodes", &[0, 1, 2], &[]),
    ("now", &[0], &[]),
    ("open_port", &[2], &[]),
    ("pid_to_list", &[1], &[]),
    ("port_close", &[1], &[]),
    ("port_command", &[2, 3], &[]),
    ("port_connect", &[2], &[]),
    ("port_control", &[3], &[]),
    ("port_to_list", &[1], &[]),
    ("pre_loaded", &[0], &[]),
    ("process_flag", &[2, 3], &[]),
    ("process_info", &[1, 2], &[]),
    ("processes", &[0], &[]),
    ("purge_module", &[1], &[]),
    ("put", &[2], &[]),
    ("ref_to_list", &[1], &[]),
    ("register", &[2], &[]),
    ("registered", &[0], &[]),
    ("round", &[1], &[1]),
    ("self", &[0], &[0]),
    ("setelement", &[3], &[]),
    ("size", &[1], &[1]),
    ("spawn", &[1, 2, 3, 4], &[]),
    ("spawn_link", &[1, 2, 3, 4], &[]),
    ("spawn_monitor", &[1, 2, 3, 4], &[]),
    ("spawn_opt", &[2, 3, 4, 5], &[]),
    ("spawn_request", &[1, 2, 3, 4, 5], &[]),
    ("spawn_request_abandon", &[1], &[]),
    ("split_binary", &[2], &[]),
    ("statistics", &[1], &[]),
    ("term_to_binary", &[1, 2], &[]),
    ("term_to_iovec", &[1, 2], &[]),
    ("throw", &[1], &[]),
    ("time", &[0], &[]),
    ("tl", &[1], &[1]),
    ("trunc", &[1], &[1]),
    ("tuple_size", &[1], &[1]),
    ("tuple_to_list", &[1], &[]),
    ("unalias", &[1], &[]),
    ("unlink", &[1], &[]),
    ("unregister", &[1], &[]),
    ("whereis", &[1], &[]),
];

/// Whether `name/arity` can be called without a module.
pub(super) fn is_auto_imported(name: &str, arity: u32) -> bool {
    arities(name).contains(&arity)
}

/// Whether `name/arity` can stand in a guard. (`and`, `or` and friends as functions are rare but legal.)
pub(super) fn is_guard(name: &str, arity: u32) -> bool {
    let found = AUTO_IMPORTED.binary_search_by_key(&name, |entry| entry.0);
    let word = matches!(
        (name, arity),
        ("and" | "or" | "xor" | "div" | "rem" | "band" | "bor" | "bxor" | "bsl" | "bsr", 2)
            | ("not" | "bnot", 1)
    );
    let sign = !name.is_empty() && name.bytes().all(|byte| b"+-*/=<>:".contains(&byte));
    found.is_ok_and(|at| AUTO_IMPORTED[at].2.contains(&arity)) || word || sign
}

/// The numbers of arguments an auto-imported function takes.
pub(super) fn arities(name: &str) -> &'static [u32] {
    let found = AUTO_IMPORTED.binary_search_by_key(&name, |entry| entry.0);
    found.map_or(&[], |at| AUTO_IMPORTED[at].1)
}

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    AUTO_IMPORTED.iter().map(|entry| entry.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_answers() {
        assert!(AUTO_IMPORTED.is_sorted_by_key(|entry| entry.0));
        assert!(is_auto_imported("spawn", 3) && !is_auto_imported("spawn", 9));
        assert!(is_guard("is_list", 1) && is_guard("+", 2) && !is_guard("spawn", 1));
    }
}
