//! `WorldBuilder`: putting a world together, and what can be wrong with it.

use crate::component::{Components, Handlers, Surroundings};
use crate::core::{Core, Member};
use crate::directory::Directory;
use crate::envelopes::Envelopes;
use crate::event::NODES_MAX;
use crate::fault::{Crashable, Environment, Faults, splits};
use crate::intern::Interner;
use crate::network::MessageFaults;
use crate::world::{Built, Score, Test, World, predicate_on, untyped};
use crate::{Address, BuildOptions, Data, Network, Node, Recorder, Scope, View};
use foresee_lts::{Predicate, Property, PropertyKind, Reading, Reads, Why};
use foresee_stdx::{mix, stable_hash};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

type MakeRecorder = Box<dyn FnOnce(&[Address]) -> Arc<dyn Recorder>>;

/// A world under construction; see [`World`] for an example.
pub struct WorldBuilder<M: Data> {
    draft: Draft,
    messages: PhantomData<fn() -> M>,
}

/// All that was said about a world; its messages' type is forgotten.
struct Draft {
    name: String,
    network: Network,
    faults: Faults,
    nodes: Vec<NewNode>,
    recorder: Option<MakeRecorder>,
    referee: Option<Arc<dyn Recorder>>,
    checks_code: bool,
    reading: Reading,
    properties: Vec<(PropertyKind, String, Scope, Box<Test>)>,
    prunes: Vec<(String, Scope, Box<Test>)>,
    score: Option<Arc<Score>>,
    symmetric: Vec<Vec<Address>>,
}

struct NewNode {
    name: Address,
    is_client: bool,
    components: Box<dyn Handlers>,
}

impl<M: Data> WorldBuilder<M> {
    /// A world without nodes; `name` is what the user would type to get it, parameters included.
    pub fn new(name: impl Into<String>) -> Self {
        let draft = Draft {
            name: name.into(),
            network: Network::default(),
            faults: Faults::default(),
            nodes: Vec::new(),
            recorder: None,
            referee: None,
            checks_code: false,
            reading: Reading::Merged,
            properties: Vec::new(),
            prunes: Vec::new(),
            score: None,
            symmetric: Vec::new(),
        };
        WorldBuilder { draft, messages: PhantomData }
    }

    /// Adds a node. Nodes are initialised in the order of adding.
    pub fn add<N: Node<Message = M>>(&mut self, name: impl Into<Address>, node: N) -> Address {
        self.add_node(name.into(), node, false)
    }

    /// Adds a node that reports its operations by `Context::invoked` and `Context::returned`.
    pub fn add_client<N: Node<Message = M>>(
        &mut self,
        name: impl Into<Address>,
        node: N,
    ) -> Address {
        self.add_node(name.into(), node, true)
    }

    fn add_node<N: Node<Message = M>>(
        &mut self,
        name: Address,
        node: N,
        is_client: bool,
    ) -> Address {
        let slot = 2 * self.draft.nodes.len();
        let components = Box::new(Components::new(name, is_client, node, slot));
        self.draft.nodes.push(NewNode { name, is_client, components });
        name
    }

    /// What is started in the place of the node at `name` after its disk was lost (`Faults::lost_disks`). A node that finds an empty
    /// disk cannot know that it was somebody before; whoever puts the new disk in does. Without this, it is started as new.
    ///
    /// # Panics
    /// If no node of type `N` was added at `name`.
    pub fn replacement<N: Node<Message = M>>(&mut self, name: Address, node: N) -> &mut Self {
        let known = self.draft.nodes.iter_mut().find(|known| known.name == name);
        let known = known.unwrap_or_else(|| panic!("{name} was not added"));
        let is_same = known.components.replace_by(&node);
        assert!(is_same, "{name} is no {}", std::any::type_name::<N>());
        self
    }

    /// How messages travel; [`Network::Set`] if nothing is said.
    pub fn network(&mut self, network: Network) -> &mut Self {
        self.draft.network = network;
        self
    }

    /// What may go wrong, and how often; nothing if nothing is said.
    pub fn faults(&mut self, faults: Faults) -> &mut Self {
        self.draft.faults = faults;
        self
    }

    /// Keeps clients' histories with the recorder that `make` returns for the clients' addresses. Without a recorder,
    /// what clients report is not part of a state.
    pub fn recorder(
        &mut self,
        make: impl FnOnce(&[Address]) -> Arc<dyn Recorder> + 'static,
    ) -> &mut Self {
        self.draft.recorder = Some(Box::new(make));
        self
    }

    /// Who judges what clients saw of a real run, where no recorder keeps histories in states.
    pub(crate) fn referee(&mut self, referee: Arc<dyn Recorder>) -> &mut Self {
        self.draft.referee = Some(referee);
        self
    }

    /// Whether every handler call is repeated, to see that it is a function of the node's state and the event; one that
    /// is not is a fault of kind `Nondeterminism`. Several times slower. See also [`World::not_idempotent`].
    pub fn check_code(&mut self, check: bool) -> &mut Self {
        self.draft.checks_code = check;
        self
    }

    /// How finely states are told apart. In the exact reading a message that its receiver would ignore is delivered once all
    /// the same, because only what happens can be put in another order, and steps that change nothing are left out.
    pub fn reading(&mut self, reading: Reading) -> &mut Self {
        self.draft.reading = reading;
        self
    }

    /// What the command line asks of every system: the larger of its fault budgets and those given here already, and
    /// whether code is checked.
    ///
    /// ```
    /// use foresee_nodes::{BuildOptions, WorldBuilder};
    /// let mut world = WorldBuilder::<()>::new("world");
    /// world.options(&BuildOptions { crashes: 1, ..BuildOptions::default() });
    /// ```
    pub fn options(&mut self, options: &BuildOptions) -> &mut Self {
        let faults = &mut self.draft.faults;
        faults.drops = faults.drops.max(options.drops);
        faults.duplicates = faults.duplicates.max(options.duplicates);
        faults.crashes = faults.crashes.max(options.crashes);
        faults.restarts = faults.restarts.max(options.restarts);
        faults.partitions = faults.partitions.max(options.partitions);
        faults.torn_writes = faults.torn_writes.max(options.torn_writes);
        faults.lost_disks = faults.lost_disks.max(options.lost_disks);
        self.draft.checks_code |= options.check_code;
        if options.reading == Reading::Exact {
            self.draft.reading = Reading::Exact;
        }
        self
    }

    /// Claims that `test` holds in every reachable state.
    pub fn invariant(
        &mut self,
        name: impl Into<String>,
        scope: Scope,
        test: impl Fn(&View<'_, M>, &mut Why) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.draft.properties.push((PropertyKind::Invariant, name.into(), scope, untyped(test)));
        self
    }

    /// Claims that `test` holds in some reachable state.
    pub fn reachable(
        &mut self,
        name: impl Into<String>,
        scope: Scope,
        test: impl Fn(&View<'_, M>, &mut Why) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.draft.properties.push((PropertyKind::Reachable, name.into(), scope, untyped(test)));
        self
    }

    /// States in which `test` holds are not expanded.
    pub fn prune(
        &mut self,
        name: impl Into<String>,
        scope: Scope,
        test: impl Fn(&View<'_, M>, &mut Why) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.draft.prunes.push((name.into(), scope, untyped(test)));
        self
    }

    /// How promising a state is for best-first search; higher is expanded earlier.
    pub fn score(
        &mut self,
        score: impl Fn(&View<'_, M>) -> i64 + Send + Sync + 'static,
    ) -> &mut Self {
        self.draft.score =
            Some(Arc::new(move |core: &Core, state: &[u32]| score(&View::new(core, state, None))));
        self
    }

    /// Says that these nodes are interchangeable: exchanging the names of two of them everywhere turns runs into runs, and
    /// no property notices. A search with `--reduction symmetry` then explores one of all states that differ only in these names; it
    /// looks at samples first and refuses if the nodes are not alike. What nodes hold is compared by content, so a collection of such
    /// addresses should be a set (`BTreeSet`), not a list; and handlers must not compare addresses with each other.
    ///
    /// May be called several times, for groups that have no node in common. Clients whose histories are kept cannot be named: what
    /// was seen in which order tells them apart.
    pub fn symmetric(&mut self, nodes: impl IntoIterator<Item = Address>) -> &mut Self {
        self.draft.symmetric.push(nodes.into_iter().collect());
        self
    }

    /// The world, with every node initialised.
    ///
    /// # Panics
    /// If [`WorldBuilder::try_build`] would return an error.
    pub fn build(self) -> World<M> {
        self.try_build().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The world, or what is wrong with it.
    pub fn try_build(self) -> Result<World<M>, BuildError> {
        self.draft.build(Envelopes::new::<M>()).map(World::of)
    }
}

impl Draft {
    fn build(self, envelopes: Envelopes) -> Result<Built, BuildError> {
        let names: Vec<Address> = self.nodes.iter().map(|node| node.name).collect();
        check_names(&names)?;
        let warnings = check_faults(&self.faults, self.network)?;
        let clients = (0..).zip(&self.nodes).filter(|(_, node)| node.is_client);
        let clients: Vec<u32> = clients.map(|(i, _)| i).collect();
        let client_names: Vec<Address> = clients.iter().map(|i| names[*i as usize]).collect();
        let keeps_histories = self.recorder.is_some();
        let recorded = if keeps_histories { &client_names[..] } else { &[] };
        let symmetric = symmetric_groups(&self.symmetric, &names, recorded)?;
        let recorder = self.recorder.map(|make| make(&client_names));
        let around = Surroundings {
            network: self.network,
            envelopes,
            directory: Directory::new(&names),
            keeps_histories: recorder.is_some(),
            checks_code: self.checks_code,
        };
        let mut n_clients = 0..;
        let members = self.nodes.into_iter().map(|node| Member {
            name: node.name,
            components: node.components,
            inboxes: Interner::new(),
            bundles: Interner::new(),
            outcomes: Interner::new(),
            client: node.is_client.then(|| n_clients.next()).flatten(),
        });
        let mut core = Core {
            name: self.name,
            network: self.network,
            members: members.collect(),
            around,
            notes: Interner::new(),
            recorder,
            clients,
            crashable: crashable(&self.faults, &names)?,
            splits: splits(&self.faults, &names).map_err(BuildError::BadSplit)?,
            faults: self.faults,
            environments: Interner::new(),
            initial: Vec::new(),
            reading: self.reading,
            saw_faulty_history: AtomicBool::new(false),
            said: crate::named::Said::default(),
        };
        initialise(&mut core);
        let core = Arc::new(core);
        let mut properties: Vec<Property> = recorder_property(&core).into_iter().collect();
        for (kind, name, scope, test) in self.properties {
            let predicate = scoped(&core, name, &scope, test)?;
            properties.push(Property { kind, predicate });
        }
        let prunes = self.prunes.into_iter();
        let prunes = prunes.map(|(name, scope, test)| scoped(&core, name, &scope, test));
        Ok(Built {
            properties: Arc::new(properties),
            prunes: Arc::new(prunes.collect::<Result<_, _>>()?),
            score: self.score,
            warnings: Arc::new(warnings),
            referee: self.referee,
            symmetric: Arc::new(symmetric),
            core,
        })
    }
}

/// Runs every `init` in the order of adding, and makes the state that they lead to.
fn initialise(core: &mut Core) {
    let no_notes = core.notes.intern(mix(stable_hash(&Vec::<crate::Note>::new())), Vec::new());
    debug_assert_eq!(no_notes, 0);
    let mut state = vec![0; core.n_slots()];
    for node in 0..core.n_nodes() as u32 {
        state[core.inbox_slot(node)] = core.intern_inbox(node, &[]);
        if let Some(slot) = core.marks_slot(node) {
            state[slot] = core.intern_inbox(node, &[]);
        }
    }
    if let (Some(recorder), Some(monitor)) = (&core.recorder, core.monitor_slot()) {
        for client in 0..core.clients.len() {
            state[core.history_slot(client as u32)] = recorder.initial_history(client);
        }
        state[monitor] = recorder.initial_monitor();
    }
    if let Some(slot) = core.environment_slot() {
        let environment = Environment { left: core.faults.budgets(), split: None };
        state[slot] = core.intern_environment(environment);
    }
    for node in 0..core.n_nodes() as u32 {
        let member = &core.members[node as usize];
        let outcome = core.outcome_of(member.components.init(&core.around));
        state[core.component_slot(node)] = outcome.component;
        for (to, bundle) in outcome.sends {
            let slot = core.inbox_slot(to);
            state[slot] = core.put(to, state[slot], bundle);
        }
        if let Some(client) = member.client {
            core.note(&mut state, client, outcome.notes);
        }
    }
    core.initial = state;
}

/// The invariant that comes with a recorder.
fn recorder_property(core: &Arc<Core>) -> Option<Property> {
    let monitor = core.monitor_slot()?;
    let name = core.recorder.as_ref()?.property_name()?;
    let is_lasting = core.recorder.as_ref()?.refuses_for_good();
    let core = Arc::clone(core);
    let names: Vec<Address> = core.clients.iter().map(|node| core.address(*node)).collect();
    let test = move |state: &[u32], why: &mut Why| {
        let recorder = core.recorder.as_ref().expect("it named the property");
        let histories = &state[core.history_slot(0)..monitor];
        let explanation = || recorder.explain(state[monitor], histories, &names);
        why.because(format_args!("{}", fmt::from_fn(|f| f.write_str(&explanation()))));
        recorder.accepts(state[monitor])
    };
    let predicate = Predicate::new(name, Reads::slots([monitor]), test);
    Some(Property::invariant(if is_lasting { predicate.lasting() } else { predicate }))
}

fn scoped(
    core: &Arc<Core>,
    name: String,
    scope: &Scope,
    test: Box<Test>,
) -> Result<Predicate, BuildError> {
    match scope.reads(core) {
        Ok(reads) => Ok(predicate_on(core, name, reads, test)),
        Err(node) => Err(BuildError::UnknownNode { role: format!("the scope of `{name}`"), node }),
    }
}

fn check_names(names: &[Address]) -> Result<(), BuildError> {
    if names.is_empty() {
        return Err(BuildError::NoNodes);
    }
    if names.len() >= NODES_MAX {
        return Err(BuildError::TooManyNodes(names.len()));
    }
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(BuildError::OneNameTwice(pair[0])),
        None => Ok(()),
    }
}

/// Refuses faults that contradict the network; warns of those that mean nothing in it.
fn check_faults(faults: &Faults, network: Network) -> Result<Vec<String>, BuildError> {
    let mut warnings = Vec::new();
    for (what, n) in [("drops", faults.drops), ("duplicates", faults.duplicates)] {
        match network.message_faults() {
            MessageFaults::Never if n > 0 => return Err(BuildError::ExactlyOnce(what)),
            MessageFaults::Always if n > 0 => warnings.push(format!(
                "{what}={n} means nothing: in a `{network:?}` network every message may be lost, and may arrive twice, anyway"
            )),
            _ => {}
        }
    }
    let after_a_crash = [
        ("restarts", faults.restarts),
        ("torn-writes", faults.torn_writes),
        ("lost-disks", faults.lost_disks),
    ];
    for (what, n) in after_a_crash.into_iter().filter(|(_, n)| *n > 0 && faults.crashes == 0) {
        warnings.push(format!("{what}={n} means nothing without crashes"));
    }
    Ok(warnings)
}

fn crashable(faults: &Faults, names: &[Address]) -> Result<Vec<bool>, BuildError> {
    match &faults.crashable {
        Crashable::AnyNode => Ok(vec![true; names.len()]),
        Crashable::Only(only) => match only.iter().find(|name| !names.contains(name)) {
            Some(stranger) => {
                let role = "the list of nodes that may crash".to_owned();
                Err(BuildError::UnknownNode { role, node: *stranger })
            }
            None => Ok(names.iter().map(|name| only.contains(name)).collect()),
        },
    }
}

/// The interchangeable nodes by number, in the order of adding.
fn symmetric_groups(
    groups: &[Vec<Address>],
    names: &[Address],
    recorded: &[Address],
) -> Result<Vec<Vec<u32>>, BuildError> {
    let mut numbers = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    for group in groups {
        for name in group {
            if !names.contains(name) {
                let role = "a group of interchangeable nodes".to_owned();
                return Err(BuildError::UnknownNode { role, node: *name });
            }
            if recorded.contains(name) {
                return Err(BuildError::RecordedClient(*name));
            }
            if !taken.insert(*name) {
                return Err(BuildError::InterchangeableTwice(*name));
            }
        }
        let members = (0u32..).zip(names).filter(|(_, name)| group.contains(name));
        numbers.push(members.map(|(number, _)| number).collect::<Vec<_>>());
    }
    numbers.retain(|group| group.len() > 1);
    Ok(numbers)
}

/// Why a world cannot be built.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    NoNodes,
    TooManyNodes(usize),
    OneNameTwice(Address),
    /// A list given to the builder names a node that was not added.
    UnknownNode {
        role: String,
        node: Address,
    },
    /// Faults that an exactly-once network cannot have.
    ExactlyOnce(&'static str),
    BadSplit(String),
    /// A client whose history is kept is said to be interchangeable.
    RecordedClient(Address),
    /// A node is said to be interchangeable twice.
    InterchangeableTwice(Address),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoNodes => f.write_str("a system needs at least one node"),
            BuildError::TooManyNodes(n) => {
                write!(f, "{n} nodes are too many; the limit is {}", NODES_MAX - 1)
            }
            BuildError::OneNameTwice(name) => {
                write!(f, "two nodes have the address {name}; each needs its own")
            }
            BuildError::UnknownNode { role, node } => {
                write!(f, "{role} names {node}, which is no node of this system")
            }
            BuildError::ExactlyOnce(what) => write!(
                f,
                "an exactly-once network has no {what}; use a `Multiset` network to allow them"
            ),
            BuildError::BadSplit(reason) => f.write_str(reason),
            BuildError::RecordedClient(name) => write!(
                f,
                "{name} cannot be interchangeable with others: it is a client whose history is kept"
            ),
            BuildError::InterchangeableTwice(name) => {
                write!(f, "{name} is said to be interchangeable twice; it belongs to one group")
            }
        }
    }
}

impl std::error::Error for BuildError {}
