//! Tells the tests how to make nodes, and what a server knows.

use crate::client::StoreClient;
use crate::group::Group;
use crate::master::{Master, MasterServer, Operator};
use crate::message::Message;
use crate::paxos::{Caller, Replica};
use crate::server::Server;
use foresee::Address;
use foresee_lab4::{Configuration, Held, ShardedStore};

#[derive(Clone, Default)]
pub struct Solution {}

impl ShardedStore for Solution {
    type Message = Message;
    type Master = Master;
    type MasterServer = MasterServer;
    type Operator = Operator;
    type Server = Server;
    type Client = StoreClient;

    fn master(&self, n_shards: usize) -> Master {
        Master { latest: Configuration::first(n_shards) }
    }

    fn master_server(&self, masters: &[Address], n_shards: usize) -> MasterServer {
        MasterServer { replica: Replica::new(masters, self.master(n_shards)) }
    }

    fn operator(&self, masters: &[Address]) -> Operator {
        Operator { caller: Caller::new(masters) }
    }

    fn server(
        &self,
        group: u32,
        servers: &[Address],
        masters: &[Address],
        n_shards: usize,
    ) -> Server {
        let holdings = Group { number: group, configuration: Configuration::first(n_shards) };
        Server {
            servers: servers.to_vec(),
            masters: masters.to_vec(),
            replica: Replica::new(servers, holdings),
        }
    }

    fn client(&self, masters: &[Address], n_shards: usize) -> StoreClient {
        let configuration = Configuration::first(n_shards);
        StoreClient { masters: masters.to_vec(), configuration, result: None }
    }

    fn configuration(server: &Server) -> u64 {
        server.replica.application().configuration.number
    }

    fn held(server: &Server, shard: usize) -> Held {
        server.replica.application().held(shard)
    }
}
