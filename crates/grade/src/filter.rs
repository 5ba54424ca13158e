//! What the kernel still does for a program once the solution's code may run: memory, threads, reading and writing what is open.
//! Everything else is refused with an error, not with death: code that tries to open a file is told that it may not, as it would be by
//! a file that it has no rights to. Files, programs, sockets, other processes, waiting for a clock: none of it.
//! A list of what is allowed, because new kernels bring new ways to open something.

use libc::{
    CLONE_THREAD, SYS_brk, SYS_clock_getres, SYS_clock_gettime, SYS_clone, SYS_clone3, SYS_close,
    SYS_exit, SYS_exit_group, SYS_fstat, SYS_futex, SYS_getcpu, SYS_getpid, SYS_getrandom,
    SYS_getrusage, SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_lseek, SYS_madvise,
    SYS_membarrier, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap, SYS_prctl, SYS_prlimit64,
    SYS_read, SYS_restart_syscall, SYS_rseq, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sched_getaffinity, SYS_sched_yield, SYS_set_robust_list, SYS_sigaltstack,
    SYS_tgkill, SYS_write, SYS_writev,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};
use std::collections::BTreeMap;

/// Refuses everything else from here on, for this thread and all it starts.
pub(crate) fn apply() -> Result<(), String> {
    let said = |error: &dyn std::fmt::Display| format!("the filter of system calls: {error}");
    for program in programs().map_err(|error| said(&error))? {
        apply_filter(&program).map_err(|error| said(&error))?;
    }
    Ok(())
}

fn programs() -> Result<[BpfProgram; 2], seccompiler::Error> {
    let architecture = std::env::consts::ARCH.try_into()?;
    let refused = |errno: i32| SeccompAction::Errno(errno as u32);
    let always = [
        SYS_brk,
        SYS_clock_getres,
        SYS_clock_gettime,
        SYS_clone3,
        SYS_close,
        SYS_exit,
        SYS_exit_group,
        SYS_fstat,
        SYS_futex,
        SYS_getcpu,
        SYS_getpid,
        SYS_getrandom,
        SYS_getrusage,
        SYS_gettid,
        SYS_gettimeofday,
        SYS_getuid,
        SYS_lseek,
        SYS_madvise,
        SYS_membarrier,
        SYS_mmap,
        SYS_mprotect,
        SYS_mremap,
        SYS_munmap,
        SYS_prctl,
        SYS_prlimit64,
        SYS_read,
        SYS_restart_syscall,
        SYS_rseq,
        SYS_rt_sigaction,
        SYS_rt_sigprocmask,
        SYS_rt_sigreturn,
        SYS_sched_getaffinity,
        SYS_sched_yield,
        SYS_set_robust_list,
        SYS_sigaltstack,
        SYS_tgkill,
        SYS_write,
        SYS_writev,
    ];
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        always.into_iter().map(|call| (call, Vec::new())).collect();
    // A thread, not a process.
    let thread = CLONE_THREAD as u64;
    let is_thread =
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(thread), thread)?;
    rules.insert(SYS_clone, vec![SeccompRule::new(vec![is_thread])?]);
    let allowed =
        SeccompFilter::new(rules, refused(libc::EPERM), SeccompAction::Allow, architecture)?;
    // The flags of `clone3` stand in memory, where a filter cannot look. Told that there is no such call, the C library uses `clone`.
    let no_clone3 = SeccompFilter::new(
        BTreeMap::from([(SYS_clone3, Vec::new())]),
        SeccompAction::Allow,
        refused(libc::ENOSYS),
        architecture,
    )?;
    Ok([no_clone3.try_into()?, allowed.try_into()?])
}
