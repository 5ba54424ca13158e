//! Being told to stop: SIGTERM or Ctrl-C once is a request, twice an order.

use crate::RunError;
use std::cell::Cell;
use std::rc::Rc;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

/// How often we were told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    told: Rc<Cell<u32>>,
    news: Rc<Notify>,
}

impl Stop {
    /// Starts listening, on the present event loop.
    pub(crate) fn listen(listens: bool) -> Result<Self, RunError> {
        let stop = Stop::default();
        if listens {
            for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
                let mut signals = signal(kind).map_err(|reason| RunError::NoLoop { reason })?;
                let stop = stop.clone();
                tokio::task::spawn_local(async move {
                    while signals.recv().await.is_some() {
                        stop.tell();
                    }
                });
            }
        }
        Ok(stop)
    }

    fn tell(&self) {
        self.told.set(self.told.get() + 1);
        self.news.notify_waiters();
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.told.get() >= 1
    }

    pub(crate) fn is_ordered(&self) -> bool {
        self.told.get() >= 2
    }

    /// Waits to be told once more than `n` times.
    pub(crate) async fn told_more_than(&self, n: u32) {
        while self.told.get() <= n {
            self.news.notified().await;
        }
    }
}
