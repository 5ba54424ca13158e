//! Strongly connected components, without recursion.
//! Invariant: components are numbered so that an edge never leads to a component with a higher number than its own: whoever
//! goes through them in order sees what is reached before what reaches it.
//! Paper: Tarjan, "Depth-first search and linear graph algorithms" (1972); `index` and `low` are its names.

/// The components of a graph.
pub(crate) struct Components {
    /// The component of each vertex.
    pub(crate) of: Vec<u32>,
    pub(crate) n: usize,
}

const UNSEEN: u32 = u32::MAX;

/// `child(v, k)` is the `k`-th edge of `v`: `None` past the last, `Some(None)` for one that does not count.
pub(crate) fn components(
    n_vertices: usize,
    child: impl Fn(u32, usize) -> Option<Option<u32>>,
) -> Components {
    let mut index = vec![UNSEEN; n_vertices];
    let mut low = vec![0u32; n_vertices];
    let mut of = vec![UNSEEN; n_vertices];
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let (mut next_index, mut n) = (0u32, 0u32);
    for root in 0..n_vertices as u32 {
        if index[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((vertex, edge)) = path.last_mut() {
            let v = *vertex as usize;
            if *edge == 0 {
                index[v] = next_index;
                low[v] = next_index;
                next_index += 1;
                open.push(*vertex);
            }
            match child(*vertex, *edge) {
                Some(target) => {
                    *edge += 1;
                    let Some(target) = target else { continue };
                    let t = target as usize;
                    if index[t] == UNSEEN {
                        path.push((target, 0));
                    } else if of[t] == UNSEEN {
                        low[v] = low[v].min(index[t]);
                    }
                }
                None => {
                    let vertex = *vertex;
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        let p = *parent as usize;
                        low[p] = low[p].min(low[v]);
                    }
                    if low[v] == index[v] {
                        while let Some(member) = open.pop() {
                            of[member as usize] = n;
                            if member == vertex {
                                break;
                            }
                        }
                        n += 1;
                    }
                }
            }
        }
    }
    Components { of, n: n as usize }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::Random;

    /// Which vertices each vertex reaches, by brute force.
    fn reach(n: usize, edges: &[Vec<u32>]) -> Vec<Vec<bool>> {
        let mut reach = vec![vec![false; n]; n];
        for (v, row) in reach.iter_mut().enumerate() {
            let mut stack = vec![v as u32];
            while let Some(u) = stack.pop() {
                if !std::mem::replace(&mut row[u as usize], true) {
                    stack.extend(&edges[u as usize]);
                }
            }
        }
        reach
    }

    #[test]
    fn random_graphs_agree_with_brute_force() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let n = 1 + random.below(12) as usize;
            let edges: Vec<Vec<u32>> = (0..n)
                .map(|_| (0..random.below(3)).map(|_| random.below(n as u64) as u32).collect())
                .collect();
            let found = components(n, |v, k| edges[v as usize].get(k).map(|t| Some(*t)));
            let reach = reach(n, &edges);
            for (a, from_a) in reach.iter().enumerate() {
                for (b, a_reaches_b) in from_a.iter().enumerate() {
                    let together = *a_reaches_b && reach[b][a];
                    assert_eq!(found.of[a] == found.of[b], together);
                    assert!(!a_reaches_b || found.of[b] <= found.of[a]);
                }
            }
        }
    }
}
