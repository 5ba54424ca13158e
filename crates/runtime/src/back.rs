//! Messages of both directions by one connection.
//! Two processes dial each other, and each sees for itself whom it reaches. Where nothing stands between them, messages then go both ways by one of
//! the two connections, the one that the process with the smaller place dials: TCP acknowledges a question with its answer. With a connection
//! for each direction every acknowledgement is a packet of its own, which was 7 % of what a small request costs.
//! The process with the larger place asks for it in its hello, and the answer says whether it may. So the way of all messages is known before the
//! first is sent, and none overtakes another.
//! Not with a proxy, datagrams or TLS on either side: those are about each direction by itself.

use crate::frame::Hello;
use crate::inbound::{Connection, Route};
use crate::{Config, Peers};
use foresee_node::Address;
use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;

/// What is shared between the two connections to each other process.
pub(crate) struct Backs {
    peers: Peers,
    own: SocketAddr,
    is_possible: bool,
    backs: Vec<Rc<Back>>,
}

/// The two connections to one other process.
pub(crate) struct Back {
    site: SocketAddr,
    /// Whether we would send by the connection that the other has dialled.
    pub(crate) asks: bool,
    offered: RefCell<Option<Offer>>,
    /// Who is who in what comes back by the connection that we have dialled; nobody if nothing may.
    route: RefCell<Option<Rc<Route>>>,
    news: Notify,
}

/// A connection that the other has dialled.
#[derive(Clone)]
pub(crate) struct Offer {
    pub(crate) socket: Rc<OwnedWriteHalf>,
    connection: Rc<Connection>,
}

impl Backs {
    pub(crate) fn new(peers: &Peers, own: SocketAddr, config: &Config) -> Self {
        let is_plain = config.through.is_none() && !config.udp;
        #[cfg(feature = "tls")]
        let is_plain = is_plain && config.tls.is_none();
        let others = peers.sites().into_iter().filter(|site| *site != own);
        let backs = others.map(|site| {
            Rc::new(Back {
                site,
                asks: is_plain && own > site,
                offered: RefCell::default(),
                route: RefCell::default(),
                news: Notify::new(),
            })
        });
        Backs { peers: peers.clone(), own, is_possible: is_plain, backs: backs.collect() }
    }

    /// What is shared with the process at `site`.
    pub(crate) fn of(&self, site: SocketAddr) -> Rc<Back> {
        let found = self.backs.iter().find(|back| back.site == site);
        Rc::clone(found.expect("a site of the peers file"))
    }

    /// What is shared with whoever says hello, if they are in the peers file.
    pub(crate) fn of_hello(&self, hello: &Hello) -> Option<Rc<Back>> {
        let site = self.peers.site_of(Address::new(hello.from.first()?))?;
        self.backs.iter().find(|back| back.site == site).cloned()
    }

    /// Whether the one who says hello may send by the connection that we dial.
    pub(crate) fn grants(&self, hello: &Hello) -> Option<Rc<Back>> {
        let back = self.of_hello(hello)?;
        (self.is_possible && hello.goes_back && self.own < back.site).then_some(back)
    }
}

impl Back {
    /// From now on this is who is who in what comes back.
    pub(crate) fn expects(&self, route: Rc<Route>) {
        *self.route.borrow_mut() = Some(route);
    }

    /// Who is who in what comes back by `connection`, whenever something does.
    pub(crate) fn routes(&self, connection: &Rc<Connection>) -> impl FnMut() -> Option<Rc<Route>> {
        let mut made: Option<[Rc<Route>; 2]> = None;
        move || {
            let route = self.route.borrow();
            let route = route.as_ref()?;
            if !made.as_ref().is_some_and(|[from, _]| Rc::ptr_eq(from, route)) {
                made = Some([Rc::clone(route), Rc::new(route.by(connection))]);
            }
            made.as_ref().map(|[_, made]| Rc::clone(made))
        }
    }

    /// The other has dialled.
    pub(crate) fn offer(&self, socket: OwnedWriteHalf, connection: &Rc<Connection>) -> Offer {
        let offer = Offer { socket: Rc::new(socket), connection: Rc::clone(connection) };
        *self.offered.borrow_mut() = Some(offer.clone());
        self.news.notify_waiters();
        offer
    }

    /// A connection has ended, or is to end: it may stop in the middle of a message.
    pub(crate) fn withdraw(&self, offer: &Offer) {
        offer.connection.end();
        let mut offered = self.offered.borrow_mut();
        if offered.as_ref().is_some_and(|known| Rc::ptr_eq(&known.socket, &offer.socket)) {
            *offered = None;
        }
        self.news.notify_waiters();
    }

    /// The same for whatever there is.
    pub(crate) fn withdraw_all(&self) {
        let offered = self.offered.borrow().clone();
        offered.iter().for_each(|offer| self.withdraw(offer));
    }

    /// Waits for a connection that the other has dialled.
    pub(crate) async fn offered(&self) -> Offer {
        loop {
            let news = self.news.notified();
            if let Some(offer) = self.offered.borrow().clone() {
                return offer;
            }
            news.await;
        }
    }

    /// Waits until that connection is no more, or another has come.
    pub(crate) async fn withdrawn(&self, offer: &Offer) {
        loop {
            let news = self.news.notified();
            let is_there = |known: &Offer| Rc::ptr_eq(&known.socket, &offer.socket);
            if !self.offered.borrow().as_ref().is_some_and(is_there) {
                return;
            }
            news.await;
        }
    }
}
