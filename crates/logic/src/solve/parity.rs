//! Parity games, for formulas whose fixpoints alternate.
//! Paper: Zielonka, "Infinite games on finitely coloured graphs" (1998), with the highest priority deciding; even is true's.
//! The recursion goes down with the priorities, so it is as deep as a formula has alternations and no deeper.

use super::cycles::Rest;
use super::graph::{Graph, Truth, VertexId};
use rustc_hash::FxHashMap;

/// Solves the game on a set of vertices that each have a child in the set.
pub(super) fn solve(
    graph: &Graph,
    vertices: &[VertexId],
    priority: &impl Fn(VertexId) -> Option<u32>,
) -> Vec<Rest> {
    let number: FxHashMap<VertexId, usize> =
        vertices.iter().enumerate().map(|(at, vertex)| (*vertex, at)).collect();
    let children: Vec<Vec<usize>> = vertices
        .iter()
        .map(|vertex| {
            let inside = |child: &super::graph::Child| number.get(&child.vertex).copied();
            graph.children(*vertex).iter().filter_map(inside).collect()
        })
        .collect();
    let mut parents = vec![Vec::new(); vertices.len()];
    for (at, targets) in children.iter().enumerate() {
        targets.iter().for_each(|target| parents[*target].push(at));
    }
    let mut game = Game {
        children,
        parents,
        is_true_s: vertices.iter().map(|vertex| !graph.vertex(*vertex).is_all).collect(),
        priority: vertices.iter().map(|vertex| priority(*vertex).unwrap_or(0)).collect(),
        winner: vec![false; vertices.len()],
        choice: vec![None; vertices.len()],
    };
    game.solve((0..vertices.len()).collect());
    vertices
        .iter()
        .enumerate()
        .map(|(at, vertex)| {
            let is_choice = game.is_true_s[at] == game.winner[at];
            let choice = game.choice[at].filter(|_| is_choice).map(|child| vertices[child]);
            Rest { vertex: *vertex, value: Truth::of(game.winner[at]), choice }
        })
        .collect()
}

struct Game {
    children: Vec<Vec<usize>>,
    parents: Vec<Vec<usize>>,
    /// Whose choice a vertex is.
    is_true_s: Vec<bool>,
    priority: Vec<u32>,
    winner: Vec<bool>,
    choice: Vec<Option<usize>>,
}

impl Game {
    /// Finds winners and choices on a subgame; the choices of losers are meaningless.
    fn solve(&mut self, mut subgame: Vec<usize>) {
        while !subgame.is_empty() {
            let highest = subgame.iter().map(|v| self.priority[*v]).max().expect("not empty");
            let player = highest.is_multiple_of(2);
            let inside = self.mask(&subgame);
            let top: Vec<usize> =
                subgame.iter().copied().filter(|v| self.priority[*v] == highest).collect();
            for &vertex in &top {
                self.choice[vertex] =
                    self.children[vertex].iter().copied().find(|child| inside[*child]);
            }
            let attracted = self.attract(&inside, player, &top);
            let rest: Vec<usize> = subgame.iter().copied().filter(|v| !attracted[*v]).collect();
            self.solve(rest.clone());
            let lost: Vec<usize> = rest.into_iter().filter(|v| self.winner[*v] != player).collect();
            if lost.is_empty() {
                subgame.iter().for_each(|v| self.winner[*v] = player);
                return;
            }
            let given = self.attract(&inside, !player, &lost);
            for vertex in subgame.iter().filter(|v| given[**v]) {
                self.winner[*vertex] = !player;
            }
            subgame.retain(|v| !given[*v]);
        }
    }

    fn mask(&self, subgame: &[usize]) -> Vec<bool> {
        let mut mask = vec![false; self.children.len()];
        subgame.iter().for_each(|v| mask[*v] = true);
        mask
    }

    /// From where `player` can force the play into `targets`; notes how for those outside.
    fn attract(&mut self, inside: &[bool], player: bool, targets: &[usize]) -> Vec<bool> {
        let mut attracted = vec![false; self.children.len()];
        targets.iter().for_each(|v| attracted[*v] = true);
        let mut queue: Vec<usize> = targets.to_vec();
        let mut next = 0;
        while next < queue.len() {
            let vertex = queue[next];
            next += 1;
            for at in 0..self.parents[vertex].len() {
                let parent = self.parents[vertex][at];
                if !inside[parent] || attracted[parent] {
                    continue;
                }
                let is_choice = self.is_true_s[parent] == player;
                let mut ways = self.children[parent].iter().filter(|child| inside[**child]);
                if is_choice || ways.all(|child| attracted[*child]) {
                    attracted[parent] = true;
                    if is_choice {
                        self.choice[parent] = Some(vertex);
                    }
                    queue.push(parent);
                }
            }
        }
        attracted
    }
}
