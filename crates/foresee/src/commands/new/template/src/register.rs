//! A register that several replicas keep: clients read and write it, and it looks like one copy as long as a majority answers.
//! Attiya, Bar-Noy and Dolev, "Sharing Memory Robustly in Message-Passing Systems" (1995). Every value has a version. A client asks a
//! majority for what they have, and takes the newest. To write, it then stores its value under a newer version at a majority; to
//! read, it stores what it has found, so that whoever reads later does not find less.

use foresee::nodes::{RegisterOperation, RegisterResult};
use foresee::{Address, Client, Context, Node};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

pub type Value = u32;

const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Ordered by number, then by who wrote it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Version {
    pub number: u32,
    pub writer: Option<Address>,
}

/// `round` is the client's own count of questions: answers to older ones are of no use.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    Ask { round: u32 },
    Have { round: u32, version: Version, value: Value },
    Store { round: u32, version: Version, value: Value },
    Stored { round: u32 },
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    pub round: u32,
}

/// Keeps a copy.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Replica {
    pub version: Version,
    pub value: Value,
}

impl Replica {
    pub fn new() -> Self {
        Replica { version: Version { number: 0, writer: None }, value: 0 }
    }
}

impl Default for Replica {
    fn default() -> Self {
        Replica::new()
    }
}

impl Node for Replica {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        match message {
            Message::Ask { round } => {
                let (version, value) = (self.version, self.value);
                context.send(from, Message::Have { round, version, value });
            }
            Message::Store { round, version, value } => {
                if version > self.version {
                    (self.version, self.value) = (version, value);
                }
                context.send(from, Message::Stored { round });
            }
            Message::Have { .. } | Message::Stored { .. } => {}
        }
    }

    /// The copy is what a crash must not take away.
    fn recover(&self, _fresh: Self) -> Self {
        self.clone()
    }
}

/// What a client is doing.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Step {
    Idle,
    /// Has asked what there is.
    Asking {
        operation: RegisterOperation<Value>,
        answers: BTreeMap<Address, (Version, Value)>,
    },
    /// Has told a newer value, or the one it has read.
    Storing {
        version: Version,
        value: Value,
        result: RegisterResult<Value>,
        answers: Vec<Address>,
    },
}

/// Reads and writes.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Reader {
    replicas: Vec<Address>,
    round: u32,
    step: Step,
    result: Option<RegisterResult<Value>>,
    /// How often a question is asked again at most, and how often this one still may be. A check allows few, a real run many.
    retries: u32,
    retries_left: u32,
    /// The mistake: what was read is returned at once. Whoever reads later may then find less.
    is_hasty: bool,
}

impl Reader {
    pub fn new(replicas: &[Address], retries: u32, is_hasty: bool) -> Self {
        Reader {
            replicas: replicas.to_vec(),
            round: 0,
            step: Step::Idle,
            result: None,
            retries,
            retries_left: retries,
            is_hasty,
        }
    }

    fn majority(&self) -> usize {
        self.replicas.len() / 2 + 1
    }

    /// Sends what this step has to say to every replica, again if need be.
    fn say(&self, context: &mut Context<Message, Retry>) {
        let round = self.round;
        let message = match self.step {
            Step::Idle => return,
            Step::Asking { .. } => Message::Ask { round },
            Step::Storing { version, value, .. } => Message::Store { round, version, value },
        };
        context.broadcast(&self.replicas, &message);
        if self.retries_left > 0 {
            context.set_timer(Retry { round }, RETRY_AFTER);
        }
    }

    fn go_on(&mut self, step: Step, context: &mut Context<Message, Retry>) {
        context.cancel_timer(Retry { round: self.round });
        self.round += 1;
        self.retries_left = self.retries;
        self.step = step;
        self.say(context);
    }

    fn finish(&mut self, result: RegisterResult<Value>, context: &mut Context<Message, Retry>) {
        self.go_on(Step::Idle, context);
        self.result = Some(result);
    }

    /// A majority has answered: the newest value is `(version, value)`.
    fn found(
        &mut self,
        operation: RegisterOperation<Value>,
        (version, value): (Version, Value),
        context: &mut Context<Message, Retry>,
    ) {
        let answers = Vec::new();
        match operation {
            RegisterOperation::Read if self.is_hasty => {
                self.finish(RegisterResult::ReadOk(value), context);
            }
            RegisterOperation::Read => {
                let result = RegisterResult::ReadOk(value);
                self.go_on(Step::Storing { version, value, result, answers }, context);
            }
            RegisterOperation::Write(value) => {
                let version = Version { number: version.number + 1, writer: Some(context.me()) };
                let result = RegisterResult::WriteOk;
                self.go_on(Step::Storing { version, value, result, answers }, context);
            }
        }
    }
}

impl Node for Reader {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let majority = self.majority();
        match (message, &mut self.step) {
            (Message::Have { round, version, value }, Step::Asking { operation, answers })
                if round == self.round =>
            {
                answers.insert(from, (version, value));
                if answers.len() == majority {
                    let newest = *answers.values().max().expect("a majority has answered");
                    let operation = operation.clone();
                    self.found(operation, newest, context);
                }
            }
            (Message::Stored { round }, Step::Storing { result, answers, .. })
                if round == self.round && !answers.contains(&from) =>
            {
                answers.push(from);
                answers.sort_unstable();
                if answers.len() == majority {
                    let result = result.clone();
                    self.finish(result, context);
                }
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, Retry { round }: Retry, context: &mut Context<Message, Retry>) {
        if round == self.round {
            self.retries_left -= 1;
            self.say(context);
        }
    }
}

impl Client for Reader {
    type Command = RegisterOperation<Value>;
    type Result = RegisterResult<Value>;

    fn send_command(
        &mut self,
        operation: RegisterOperation<Value>,
        context: &mut Context<Message, Retry>,
    ) {
        self.result = None;
        self.go_on(Step::Asking { operation, answers: BTreeMap::new() }, context);
    }

    fn result(&self) -> Option<RegisterResult<Value>> {
        self.result.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee::Solo;

    /// Handlers are plain functions: a `Solo` is a node without a world.
    #[test]
    fn a_replica_keeps_the_newest_value() {
        let version = |number| Version { number, writer: Some(Address::new("client1")) };
        let mut replica = Solo::new("replica1", Replica::new());
        let stored =
            replica.receive("client1", Message::Store { round: 1, version: version(2), value: 7 });
        assert_eq!(stored.sent, [("client1".into(), Message::Stored { round: 1 })]);
        replica.receive("client1", Message::Store { round: 2, version: version(1), value: 8 });
        assert_eq!(replica.node.value, 7, "an older version comes too late");
        replica.restart();
        assert_eq!(replica.node.value, 7, "a crash takes nothing away");
    }

    #[test]
    fn a_client_asks_again_until_a_majority_has_answered() {
        let replicas = Address::numbered("replica", 3);
        let mut client = Solo::new("client1", Reader::new(&replicas, 1, false));
        let asked =
            client.call(|node, context| node.send_command(RegisterOperation::Read, context));
        assert_eq!(asked.sent.len(), 3);
        let again = client.fire(Retry { round: 1 });
        assert_eq!(again.sent, asked.sent);
    }
}
