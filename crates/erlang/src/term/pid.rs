//! Process identifiers: the path of spawns that led to a process, so `<P.1.2>` is the second child of the first child
//! of the first process.
//! Why: a counter would give one process different names in different interleavings, and equal states would look
//! different. A path depends only on what the ancestors did.

use foresee_stdx::{mix, stable_hash};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

/// A process identifier.
#[derive(Clone, Copy)]
pub struct Pid(&'static Data);

struct Data {
    /// Empty for the first process; processes that belong to the system have a name instead.
    path: Box<[u32]>,
    system: Option<&'static str>,
    hash: u64,
}

/// Who sends what timers send; no process of a program ever sees it.
const TIMER: &str = "timer";

type Key = (Option<&'static str>, Box<[u32]>);

static TABLE: LazyLock<Mutex<FxHashMap<Key, Pid>>> =
    LazyLock::new(|| Mutex::new(FxHashMap::default()));

impl Pid {
    /// The first process, `<P>`.
    pub fn first() -> Pid {
        static FIRST: LazyLock<Pid> = LazyLock::new(|| Pid::intern(None, Box::default()));
        *FIRST
    }

    /// A process that is always there and only receives: `<user>`, `<init>`.
    pub fn system(name: &'static str) -> Pid {
        Pid::intern(Some(name), Box::default())
    }

    /// The `n`th child, counted from 1.
    pub fn child(self, n: u32) -> Pid {
        let path: Vec<u32> = self.0.path.iter().copied().chain([n]).collect();
        Pid::intern(self.0.system, path.into_boxed_slice())
    }

    /// A process that never was, by the name it would have in Erlang: `<0.82.0>`. Children are counted from 1, so no process has its path.
    pub(crate) fn nobody(id: u32, serial: u32) -> Pid {
        Pid::intern(None, Box::new([0, id, serial]))
    }

    /// Who made it; nobody made the first process and those of the system.
    pub fn parent(self) -> Option<Pid> {
        let (_, path) = self.0.path.split_last()?;
        Some(Pid::intern(self.0.system, path.into()))
    }

    /// The process with the text of `Display`.
    pub fn parse(text: &str) -> Option<Pid> {
        let mut system = crate::world::system_processes::NAMES.iter().chain([&TIMER]);
        let is_it = |name: &&&str| {
            text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) == Some(**name)
        };
        if let Some(name) = system.find(is_it) {
            return Some(Pid::system(name));
        }
        if let Some(numbers) = text.strip_prefix("<0.") {
            let (id, serial) = numbers.strip_suffix('>')?.split_once('.')?;
            return Some(Pid::nobody(id.parse().ok()?, serial.parse().ok()?));
        }
        let inner = text.strip_prefix("<P")?.strip_suffix('>')?;
        inner.split('.').skip(1).try_fold(Pid::first(), |pid, n| Some(pid.child(n.parse().ok()?)))
    }

    pub fn is_system(self) -> bool {
        self.0.system.is_some()
    }

    /// The name of a process of the system.
    pub(crate) fn system_name(self) -> Option<&'static str> {
        self.0.system.filter(|_| self.0.path.is_empty())
    }

    pub fn content_hash(self) -> u64 {
        self.0.hash
    }

    fn intern(system: Option<&'static str>, path: Box<[u32]>) -> Pid {
        let mut table = TABLE.lock();
        if let Some(pid) = table.get(&(system, path.clone())) {
            return *pid;
        }
        let hash = mix(stable_hash(&(system, &path)) ^ 0x7069_6400);
        let pid = Pid(Box::leak(Box::new(Data { path: path.clone(), system, hash })));
        table.insert((system, path), pid);
        pid
    }
}

impl PartialEq for Pid {
    fn eq(&self, other: &Pid) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Pid {}

impl Hash for Pid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl Ord for Pid {
    fn cmp(&self, other: &Pid) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        other
            .0
            .system
            .cmp(&self.0.system)
            .then_with(|| self.0.path.len().cmp(&other.0.path.len()))
            .then_with(|| self.0.path.cmp(&other.0.path))
    }
}

impl PartialOrd for Pid {
    fn partial_cmp(&self, other: &Pid) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [0, id, serial] = *self.0.path {
            return write!(f, "<0.{id}.{serial}>");
        }
        write!(f, "<{}", self.0.system.unwrap_or("P"))?;
        for n in &self.0.path {
            write!(f, ".{n}")?;
        }
        f.write_str(">")
    }
}

impl fmt::Debug for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A reference: who made it, and which of that process's references it is. Table ids, monitors, aliases and timers are
/// references too. The number of a reference that nobody holds any more is used again, so a server that loops comes
/// back to a state it has been in.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Reference {
    pub owner: Pid,
    pub n: u32,
}

impl Reference {
    pub fn content_hash(self) -> u64 {
        mix(self.owner.content_hash() ^ (u64::from(self.n) << 32) ^ 0x7265_6600)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owner = self.owner.to_string();
        write!(f, "#Ref<{}.{}>", &owner[1..owner.len() - 1], self.n)
    }
}
