//! Tells the tests how to make nodes, and what they hold.

use crate::client::Caller;
use crate::message::Message;
use crate::operator::Operator;
use crate::servers::{Layouts, Server};
use foresee::Address;
use foresee_lab6::{ChainRepair, Layout, Part, Task};

#[derive(Clone, Default)]
pub struct Solution {}

impl ChainRepair for Solution {
    type Message = Message;
    type Layouts = Layouts;
    type Server = Server;
    type Client = Caller;
    type Operator = Operator;

    fn layouts(&self, first: Layout) -> Layouts {
        Layouts { layout: first }
    }

    fn server(&self) -> Server {
        Server::default()
    }

    fn client(&self, layouts: Address, layout: Layout) -> Caller {
        Caller { layouts, layout }
    }

    fn operator(&self, layouts: Address, task: Task) -> Operator {
        Operator { layouts, task, is_done: false }
    }

    fn current(&self, layouts: &Layouts) -> Layout {
        layouts.layout.clone()
    }

    fn stored(&self, server: &Server, part: Part, key: &str) -> Option<String> {
        server.value(part, key).cloned()
    }

    fn is_done(&self, operator: &Operator) -> bool {
        operator.is_done
    }
}
