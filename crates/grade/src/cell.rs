//! How a cell is made: namespaces, a root with nothing in it but what was asked for, no rights, limits.
//! Two processes: the outer one makes the namespaces (its first child is process 1 of the new ones); the inner one builds the root, gives
//! up every right, starts the program and waits. It is process 1, so everything in the cell dies with it; it dies with the outer one.
//! Who starts it as root gets a cell that runs as nobody; who starts it as somebody else, one that runs as that user in a user namespace
//! without any rights, where no file of theirs can be seen.
//! There is no `/proc` in the cell, hence neither `/proc/self/mem` nor `/proc/self/fd`.

use crate::How;
use crate::outside::{INNER, Limits, Mount, OUTER, Spec, Status};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl::{set_no_new_privs, set_pdeathsig};
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{Gid, Uid, chdir, getgid, getuid, pivot_root, setgroups, setresgid, setresuid};
use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// Who has no name and no rights.
const NOBODY: u32 = 65_534;

/// If this process was started as a cell: makes it, runs the program, and says so. Call it first thing in `main`, while there is one thread.
pub fn enter() -> Option<ExitCode> {
    let mut words = std::env::args().skip(1);
    let word = words.next()?;
    let step = match word.as_str() {
        OUTER => outer,
        INNER => inner,
        _ => return None,
    };
    let text = words.next()?;
    let spec: Spec = serde_json::from_str(&text).ok()?;
    Some(match step(&spec, &text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            tell(&spec.status, &Status { how: How::Refused(message), cpu: Duration::ZERO });
            ExitCode::FAILURE
        }
    })
}

/// Whether cells can be made here; `Err` says why not.
pub fn is_available(cell: &Path, scratch: &Path) -> Result<(), String> {
    let root = scratch.join("trial");
    std::fs::create_dir_all(&root).map_err(|error| error.to_string())?;
    let status = scratch.join("trial.status");
    let spec = Spec {
        root,
        read_only: system_folders(),
        writable: Vec::new(),
        working_folder: "/".into(),
        program: "/usr/bin/env".into(),
        words: Vec::new(),
        environment: Vec::new(),
        input: String::new(),
        limits: Limits {
            cpu_s: 10,
            memory: 1 << 30,
            file: 1 << 20,
            processes: 16,
            wall: Duration::from_secs(20),
        },
        is_closed: true,
        status,
    };
    match crate::run(cell, &spec).how {
        How::Exit(0) => Ok(()),
        How::Refused(message) => Err(message),
        other => Err(format!("a trial ended with {other:?}")),
    }
}

/// Folders of the system that programs and the linker need.
pub(crate) fn system_folders() -> Vec<Mount> {
    let names = ["/usr", "/bin", "/lib", "/lib32", "/lib64"];
    let there = names.iter().map(Path::new).filter(|folder| folder.exists());
    there.map(|folder| Mount { outside: folder.into(), inside: folder.into() }).collect()
}

fn outer(spec: &Spec, text: &str) -> Result<(), String> {
    if spec.is_closed {
        if !getuid().is_root() {
            let (uid, gid) = (getuid(), getgid());
            unshare(CloneFlags::CLONE_NEWUSER).map_err(said("a user namespace"))?;
            write_map("setgroups", "deny")?;
            write_map("uid_map", &format!("0 {uid} 1"))?;
            write_map("gid_map", &format!("0 {gid} 1"))?;
        }
        let all = CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS;
        unshare(all).map_err(said("namespaces"))?;
    }
    let binary = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(binary)
        .args([INNER, text])
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("the cell does not start: {error}"))?;
    child.wait().map(drop).map_err(|error| error.to_string())
}

fn write_map(name: &str, text: &str) -> Result<(), String> {
    let file = format!("/proc/self/{name}");
    std::fs::write(&file, text).map_err(|error| format!("{file}: {error}"))
}

fn inner(spec: &Spec, _text: &str) -> Result<(), String> {
    // Opened while it can be seen; the program does not inherit it.
    let mut status = File::create(&spec.status)
        .map_err(|error| format!("{}: {error}", spec.status.display()))?;
    let told = prepared(spec).and_then(|()| start(spec));
    let told =
        told.unwrap_or_else(|message| Status { how: How::Refused(message), cpu: Duration::ZERO });
    let bytes = serde_json::to_vec(&told).expect("plain data");
    status.write_all(&bytes).map_err(|error| error.to_string())
}

fn prepared(spec: &Spec) -> Result<(), String> {
    set_pdeathsig(Signal::SIGKILL).map_err(said("dying with the parent"))?;
    if spec.is_closed {
        build_root(spec)?;
        give_up_rights()?;
        // Changing who one is forgets this.
        set_pdeathsig(Signal::SIGKILL).map_err(said("dying with the parent"))?;
    }
    set_no_new_privs().map_err(said("no new rights"))
}

/// A root with what was asked for and nothing else.
fn build_root(spec: &Spec) -> Result<(), String> {
    const NOTHING: Option<&str> = None;
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(NOTHING, "/", NOTHING, private, NOTHING).map_err(said("a private tree of mounts"))?;
    let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let root = &spec.root;
    mount(Some("cell"), root, Some("tmpfs"), plain, Some("size=16m,mode=755"))
        .map_err(said("a root"))?;
    for each in &spec.read_only {
        show(root, each, true)?;
    }
    for each in &spec.writable {
        show(root, each, false)?;
    }
    show(root, &Mount { outside: "/dev/null".into(), inside: "/dev/null".into() }, false)?;
    let scratch = root.join("tmp");
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    mount(Some("cell"), &scratch, Some("tmpfs"), plain, Some("size=256m,mode=1777"))
        .map_err(said("a folder for what is temporary"))?;
    chdir(root).map_err(said("the root"))?;
    // The old root comes to lie on the new one, and is taken away.
    pivot_root(".", ".").map_err(said("another root"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(said("the old root away"))?;
    chdir("/").map_err(said("the root"))?;
    let read_only = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | plain;
    mount(NOTHING, "/", NOTHING, read_only, NOTHING).map_err(said("a root that stays as it is"))
}

fn show(root: &Path, what: &Mount, is_read_only: bool) -> Result<(), String> {
    const NOTHING: Option<&str> = None;
    let named = |error: std::io::Error| format!("{}: {error}", what.outside.display());
    let inside = root.join(what.inside.strip_prefix("/").unwrap_or(&what.inside));
    if let Some(parent) = inside.parent() {
        std::fs::create_dir_all(parent).map_err(named)?;
    }
    let about = std::fs::symlink_metadata(&what.outside).map_err(named)?;
    if about.is_symlink() {
        // `/lib` is often a link to `usr/lib`.
        let target = std::fs::read_link(&what.outside).map_err(named)?;
        return std::os::unix::fs::symlink(target, &inside).map_err(named);
    }
    match about.is_dir() {
        true => std::fs::create_dir_all(&inside).map_err(named)?,
        false => drop(File::create(&inside).map_err(named)?),
    }
    let bind = MsFlags::MS_BIND | MsFlags::MS_REC;
    let shown = |error: nix::Error| format!("{} in the cell: {error}", what.outside.display());
    mount(Some(&what.outside), &inside, NOTHING, bind, NOTHING).map_err(shown)?;
    // What the mount below does not allow must stay forbidden, or the kernel refuses.
    let kept = statvfs(&inside).map_err(shown)?.flags();
    let mut flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_NOSUID;
    for (below, flag) in [
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_RDONLY, MsFlags::MS_RDONLY),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ] {
        if kept.contains(below) {
            flags |= flag;
        }
    }
    if is_read_only {
        flags |= MsFlags::MS_RDONLY;
    }
    mount(NOTHING, &inside, NOTHING, flags, NOTHING).map_err(shown)
}

/// From here on nobody, in a user namespace in which nobody is anybody.
fn give_up_rights() -> Result<(), String> {
    // In the user namespace of somebody who is not root this fails, and there is nobody else to become.
    if setgroups(&[]).is_ok() {
        let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        setresgid(group, group, group).map_err(said("nobody's group"))?;
        setresuid(user, user, user).map_err(said("nobody's rights"))?;
    }
    unshare(CloneFlags::CLONE_NEWUSER).map_err(said("a second user namespace"))
}

fn start(spec: &Spec) -> Result<Status, String> {
    let Limits { cpu_s, memory, file, processes, wall: _ } = spec.limits;
    for (what, limit) in [
        (Resource::RLIMIT_CPU, cpu_s),
        (Resource::RLIMIT_AS, memory),
        (Resource::RLIMIT_FSIZE, file),
        (Resource::RLIMIT_NPROC, processes),
        (Resource::RLIMIT_NOFILE, 256),
        (Resource::RLIMIT_CORE, 0),
    ] {
        // Outside of a namespace all processes of a user are counted, its editor and browser too.
        if what == Resource::RLIMIT_NPROC && !spec.is_closed {
            continue;
        }
        // Processor time ends with a signal that says so, and a little later in any case.
        let most = if what == Resource::RLIMIT_CPU { limit + 5 } else { limit };
        setrlimit(what, limit, most).map_err(said("limits"))?;
    }
    let mut child = Command::new(&spec.program)
        .args(&spec.words)
        .env_clear()
        .envs(spec.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&spec.working_folder)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", spec.program.display()))?;
    if let Some(mut input) = child.stdin.take() {
        // A program that does not read it has ended or does not want it.
        let _ = input.write_all(spec.input.as_bytes());
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => How::Exit(code),
        (None, Some(signal)) => How::Signal(signal),
        (None, None) => How::Refused("it ended in no known way".to_owned()),
    };
    Ok(Status { how, cpu: processor_time() })
}

fn processor_time() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let of = |time: nix::sys::time::TimeVal| {
        Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
    };
    of(usage.user_time()) + of(usage.system_time())
}

fn tell(file: &Path, status: &Status) {
    let _ = std::fs::write(file, serde_json::to_vec(status).expect("plain data"));
}

fn said(what: &str) -> impl Fn(nix::Error) -> String {
    move |error| format!("{what} cannot be had: {error}")
}
