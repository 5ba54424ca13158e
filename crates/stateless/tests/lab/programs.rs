//! Programs whose numbers of interleavings are known, and programs made from a seed.

use super::{ANY, Lab, Op};
use foresee_stdx::Random;

/// `n` threads send to one receiver that takes any message `n` times.
pub fn senders(n: usize) -> Lab {
    let mut threads = vec![vec![Op::Receive { accepts: ANY, after: None }; n]];
    threads.extend((1..=n).map(|i| vec![Op::Send(0, i as u32)]));
    Lab::new(0, threads)
}

/// The same, but the receiver takes them by sender.
pub fn selective(n: usize) -> Lab {
    let receive = |i: usize| Op::Receive { accepts: 1 << i, after: None };
    let mut threads = vec![(1..=n).map(receive).collect()];
    threads.extend((1..=n).map(|i| vec![Op::Send(0, i as u32)]));
    Lab::new(0, threads)
}

/// `n` clients call a server and wait for its reply.
pub fn clients(n: usize) -> Lab {
    let serve = [Op::Receive { accepts: ANY, after: None }, Op::Reply(1)];
    let mut threads = vec![serve.repeat(n)];
    let call = |i| vec![Op::Send(0, i as u32), Op::Receive { accepts: ANY, after: None }];
    threads.extend((1..=n).map(call));
    Lab::new(0, threads)
}

/// `n` clients call a server that takes a call and answers it in one event; each client may give up waiting.
pub fn impatient_clients(n: usize) -> Lab {
    let mut threads = vec![vec![Op::Answer { accepts: ANY, with: 1 }; n]];
    let call = |i| vec![Op::Send(0, i as u32), Op::Receive { accepts: ANY, after: Some(2) }];
    threads.extend((1..=n).map(call));
    Lab::new(0, threads)
}

/// One writer and `n` readers of a cell.
pub fn readers(n: usize) -> Lab {
    let mut threads = vec![vec![Op::Write(0, 1)]];
    threads.extend((0..n).map(|_| vec![Op::Read(0)]));
    Lab::new(1, threads)
}

/// Cells 0 to `n`; thread 0 looks for a zero from the last cell down, thread `i` writes one more than cell `i - 1` to
/// cell `i`.
pub fn last_zero(n: usize) -> Lab {
    let mut search = Vec::new();
    for cell in (0..=n).rev() {
        search.extend([Op::Read(cell), Op::JumpIfZero(2 * (n + 1))]);
    }
    let mut threads = vec![search];
    threads.extend((1..=n).map(|i| vec![Op::Read(i - 1), Op::WriteNext(i)]));
    Lab::new(n + 1, threads)
}

/// What a generated program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    Cells,
    Collections,
    Mail,
    MailWithTimeouts,
    Servers,
    /// Threads that disable each other. Each waits for one cell at a time: what enables it and what disables it touch that cell,
    /// which engines rely on.
    Locks,
    /// Events that each touch several of four cells.
    Graphs,
    /// The same where some of them disable others, for good: as with locks, what enables an event must touch what disables it.
    Claims,
    Everything,
}

pub const FLAVOURS: [Flavour; 9] = [
    Flavour::Cells,
    Flavour::Collections,
    Flavour::Mail,
    Flavour::MailWithTimeouts,
    Flavour::Servers,
    Flavour::Locks,
    Flavour::Graphs,
    Flavour::Claims,
    Flavour::Everything,
];

/// A small program, a function of the seed.
pub fn generated(flavour: Flavour, seed: u64) -> Lab {
    let mut random = Random::new(seed);
    let is_graph = matches!(flavour, Flavour::Graphs | Flavour::Claims);
    let n_threads = random.between(2, if is_graph { 6 } else { 4 }) as usize;
    let mut left = random.between(5, 9) as usize;
    let mut threads: Vec<Vec<Op>> = Vec::new();
    for thread in 0..n_threads {
        let rest = n_threads - thread - 1;
        let n_ops = random.between(1, 4).min(left.saturating_sub(rest).max(1) as u64) as usize;
        left = left.saturating_sub(n_ops);
        threads.push((0..n_ops).map(|at| op(flavour, n_threads, at, &mut random)).collect());
    }
    // A mailbox holds eight messages.
    let is_sending = |op: &Op| matches!(op, Op::Send(..) | Op::Answer { .. });
    if threads.iter().flatten().filter(|op| is_sending(op)).count() > 8 {
        threads.pop();
    }
    if flavour == Flavour::Everything {
        decorate(&mut threads, &mut random);
    }
    Lab::new(if is_graph { N_CELLS_OF_GRAPHS } else { 2 }, threads)
}

const N_CELLS_OF_GRAPHS: usize = 4;

fn op(flavour: Flavour, n_threads: usize, at: usize, random: &mut Random) -> Op {
    let cell = random.below(2) as usize;
    let value = random.below(2) as u32;
    let receiver = random.below(2.min(n_threads as u64)) as usize;
    let message = random.between(1, 3) as u32;
    let accepts = [ANY, 0b0010, 0b0110, 0b1100, 0b1000, ANY][random.below(6) as usize];
    let cells = |choice| match choice {
        0 => Op::Read(cell),
        1 => Op::Write(cell, value),
        2 => Op::WriteNext(cell),
        3 => Op::Put(cell, value),
        _ => Op::Add(cell),
    };
    let may_give_up = flavour != Flavour::Mail && random.chance(0.5);
    let after = may_give_up.then_some(at + 1);
    let mail = |choice| match choice {
        0 | 1 => Op::Receive { accepts, after },
        _ => Op::Send(receiver, message),
    };
    match flavour {
        Flavour::Cells => cells(random.below(5)),
        Flavour::Collections => match random.below(7) {
            0..=2 => Op::Look(cell, [1, 2, 3][random.below(3) as usize]),
            3..=5 => Op::Change(cell, value),
            _ => cells(random.below(3)),
        },
        Flavour::Mail | Flavour::MailWithTimeouts => mail(random.below(5)),
        Flavour::Servers => match random.below(7) {
            0 | 1 => Op::Answer { accepts, with: random.between(1, 3) as u32 },
            choice => mail(choice - 2),
        },
        Flavour::Locks => match random.below(6) {
            0..=2 => Op::Take(1 << cell),
            3 | 4 => Op::Write(cell, 0),
            _ => cells(random.below(2)),
        },
        Flavour::Graphs | Flavour::Claims => {
            let mut cell = || 1 << random.below(N_CELLS_OF_GRAPHS as u64);
            let some = cell() | cell();
            match random.below(3) {
                0 if flavour == Flavour::Claims => Op::Take(some),
                _ if flavour == Flavour::Claims => Op::WriteAll(some, 1),
                _ => Op::WriteAll(some, value),
            }
        }
        Flavour::Everything => match random.below(3) {
            0 => cells(random.below(5)),
            _ => mail(random.below(5)),
        },
    }
}

/// Births, kills, failures and jumps, here and there.
fn decorate(threads: &mut [Vec<Op>], random: &mut Random) {
    let n_threads = threads.len();
    if random.chance(0.4) {
        let parent = random.below(n_threads as u64 - 1) as usize;
        threads[parent].push(Op::Spawn(n_threads - 1));
    }
    if random.chance(0.4) {
        let killer = random.below(n_threads as u64) as usize;
        let victim = random.below(n_threads as u64) as usize;
        if killer != victim {
            let at = random.below(threads[killer].len() as u64 + 1) as usize;
            threads[killer].insert(at, Op::Kill(victim));
            shift_targets(&mut threads[killer], at);
        }
    }
    if random.chance(0.5) {
        let thread = random.below(n_threads as u64) as usize;
        let value = random.below(3) as u32;
        threads[thread].push(Op::FailIf(value));
    }
    if random.chance(0.5) {
        let thread = random.below(n_threads as u64) as usize;
        let end = threads[thread].len() + 1;
        let at = random.below(end as u64) as usize;
        threads[thread].insert(at, Op::JumpIfZero(end));
        shift_targets(&mut threads[thread], at);
    }
}

/// An operation was inserted: places after it have moved.
fn shift_targets(ops: &mut [Op], at: usize) {
    for op in ops {
        if let Op::Receive { after: Some(target), .. } = op
            && *target > at
        {
            *target += 1;
        }
    }
}

/// Takes an operation out; places after it move.
pub fn remove(ops: &mut Vec<Op>, at: usize) {
    ops.remove(at);
    for op in ops {
        match op {
            Op::Receive { after: Some(target), .. } | Op::JumpIfZero(target) | Op::Goto(target)
                if *target > at =>
            {
                *target -= 1;
            }
            _ => {}
        }
    }
}
