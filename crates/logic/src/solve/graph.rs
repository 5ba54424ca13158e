//! The game graph: a vertex is a state and an instance that it should satisfy; its value follows from its children's.
//! Values that follow from constants spread backwards at once (`decide`), so that a search stops as soon as the first
//! vertex is decided. What only a cycle decides is left to `cycles`.
//! Invariant: a vertex that is expanded and undecided has all its children, and `pending` of them are undecided.

/// Yes, no, or not known yet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Truth {
    Unknown,
    False,
    True,
}

impl Truth {
    pub(super) fn of(value: bool) -> Truth {
        if value { Truth::True } else { Truth::False }
    }
}

pub(super) type VertexId = u32;

/// The two constants come first.
pub(super) const FALSE_VERTEX: VertexId = 0;
pub(super) const TRUE_VERTEX: VertexId = 1;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) state: u32,
    pub(super) instance: u32,
    first_edge: u32,
    n_edges: u32,
    pending: u32,
    first_parent: u32,
    pub(super) is_all: bool,
    pub(super) is_expanded: bool,
    pub(super) is_dormant: bool,
    pub(super) value: Truth,
}

/// An edge to a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) vertex: VertexId,
    /// The child is about the state after an action.
    pub(super) is_step: bool,
}

#[derive(Default)]
pub(super) struct Graph {
    vertices: Vec<Vertex>,
    children: Vec<Child>,
    /// Of each edge: where it comes from, and the next edge to the same child.
    sources: Vec<VertexId>,
    next_parent: Vec<u32>,
    stack: Vec<VertexId>,
}

impl Graph {
    pub(super) fn new() -> Self {
        let mut graph = Graph::default();
        for value in [false, true] {
            let vertex = graph.add(NONE, u32::from(value));
            graph.vertices[vertex as usize].value = Truth::of(value);
        }
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    pub(super) fn vertex(&self, vertex: VertexId) -> &Vertex {
        &self.vertices[vertex as usize]
    }

    pub(super) fn value(&self, vertex: VertexId) -> Truth {
        self.vertices[vertex as usize].value
    }

    pub(super) fn children(&self, vertex: VertexId) -> &[Child] {
        let Vertex { first_edge, n_edges, .. } = self.vertices[vertex as usize];
        &self.children[first_edge as usize..(first_edge + n_edges) as usize]
    }

    /// The vertices that have this one as a child, one for each edge.
    pub(super) fn parents(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> {
        let mut edge = self.vertices[vertex as usize].first_parent;
        std::iter::from_fn(move || {
            let source = *self.sources.get(edge as usize)?;
            edge = self.next_parent[edge as usize];
            Some(source)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<Vertex>()
            + self.children.capacity() * (size_of::<Child>() + 2 * size_of::<u32>())
    }

    pub(super) fn add(&mut self, state: u32, instance: u32) -> VertexId {
        self.vertices.push(Vertex {
            state,
            instance,
            first_edge: 0,
            n_edges: 0,
            pending: 0,
            first_parent: NONE,
            is_all: false,
            is_expanded: false,
            is_dormant: false,
            value: Truth::Unknown,
        });
        self.vertices.len() as VertexId - 1
    }

    pub(super) fn set_dormant(&mut self, vertex: VertexId, is_dormant: bool) {
        self.vertices[vertex as usize].is_dormant = is_dormant;
    }

    /// Whether the value of a vertex still matters to one that is undecided.
    pub(super) fn matters(&self, vertex: VertexId) -> bool {
        self.parents(vertex).any(|parent| self.value(parent) == Truth::Unknown)
    }

    /// Gives a vertex its children; its value and what follows from it are noted.
    pub(super) fn expand(&mut self, vertex: VertexId, is_all: bool, children: &[Child]) {
        let first_edge = self.children.len() as u32;
        let mut pending = 0;
        let mut decided = None;
        for child in children {
            let edge = self.children.len() as u32;
            self.children.push(*child);
            self.sources.push(vertex);
            let target = &mut self.vertices[child.vertex as usize];
            self.next_parent.push(target.first_parent);
            target.first_parent = edge;
            match target.value {
                Truth::Unknown => pending += 1,
                value if value == Truth::of(!is_all) => decided = Some(value),
                _ => {}
            }
        }
        let own = &mut self.vertices[vertex as usize];
        (own.first_edge, own.n_edges) = (first_edge, children.len() as u32);
        (own.pending, own.is_all, own.is_expanded) = (pending, is_all, true);
        if own.value == Truth::Unknown {
            let all_agree = (pending == 0).then_some(Truth::of(is_all));
            if let Some(value) = decided.or(all_agree) {
                self.decide(vertex, value);
            }
        }
    }

    /// Notes a value and everything that follows from it.
    pub(super) fn decide(&mut self, vertex: VertexId, value: Truth) {
        debug_assert!(value != Truth::Unknown);
        if self.value(vertex) != Truth::Unknown {
            debug_assert!(self.value(vertex) == value, "a value never changes");
            return;
        }
        self.vertices[vertex as usize].value = value;
        self.stack.push(vertex);
        while let Some(decided) = self.stack.pop() {
            let value = self.value(decided);
            let mut edge = self.vertices[decided as usize].first_parent;
            while edge != NONE {
                let source = self.sources[edge as usize];
                edge = self.next_parent[edge as usize];
                let parent = &mut self.vertices[source as usize];
                if parent.value != Truth::Unknown || !parent.is_expanded {
                    continue;
                }
                parent.pending -= 1;
                if value == Truth::of(!parent.is_all) || parent.pending == 0 {
                    parent.value = value;
                    self.stack.push(source);
                }
            }
        }
    }
}
