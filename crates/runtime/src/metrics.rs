//! Counters of one process, and Prometheus text of them on a port of its own.
//! Plain cells: everything that counts runs on the thread of the event loop.

use crate::RunError;
use std::cell::Cell;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

macro_rules! counters {
    ($($name:ident $help:literal;)*) => {
        /// How often things have happened in this process.
        #[derive(Debug, Default)]
        pub(crate) struct Counters { $(pub(crate) $name: Count),* }

        impl Counters {
            fn rows(&self) -> Vec<(&'static str, &'static str, u64)> {
                vec![$((stringify!($name), $help, self.$name.get())),*]
            }
        }
    };
}

counters! {
    messages_sent "Messages that nodes of this process have sent";
    messages_delivered "Messages that nodes of this process were handed";
    messages_lost_full "Messages lost because a queue was full";
    messages_lost_large "Messages lost because they were over the size limit";
    datagrams_sent "Messages that left as a datagram";
    messages_lost_disconnected "Messages lost with a connection that broke, or that could not be flushed at the end";
    messages_lost_unknown "Messages to addresses that nobody has";
    messages_refused "Bytes that arrived and were no message";
    bytes_sent "Bytes written to other processes";
    bytes_received "Bytes read from other processes";
    timers_fired "Timers that have fired";
    connections_made "Connections to peers that were made";
    connections_failed "Attempts to reach a peer that failed";
    connections_accepted "Connections from peers that were accepted";
    connections_refused "Connections that were refused: no handshake, another version, another schema";
    operations_invoked "Operations that clients of this process have begun";
    operations_returned "Operations that clients of this process have finished";
    handlers_panicked "Nodes whose code has panicked";
}

/// A counter.
#[derive(Debug, Default)]
pub(crate) struct Count(Cell<u64>);

impl Count {
    pub(crate) fn add(&self, n: u64) {
        self.0.set(self.0.get() + n);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.get()
    }
}

impl Counters {
    /// As Prometheus reads it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, help, value) in self.rows() {
            let _ = writeln!(text, "# HELP foresee_{name}_total {help}.");
            let _ = writeln!(text, "# TYPE foresee_{name}_total counter");
            let _ = writeln!(text, "foresee_{name}_total {value}");
        }
        text
    }
}

/// Starts serving the counters.
pub(crate) async fn serve(at: SocketAddr, counters: Rc<Counters>) -> Result<(), RunError> {
    let listener = TcpListener::bind(at).await.map_err(|reason| RunError::CannotListen {
        at,
        what_for: "metrics",
        reason,
    })?;
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let counters = Rc::clone(&counters);
            let answer = async move { answer(stream, &counters).await };
            tokio::task::spawn_local(tokio::time::timeout(Duration::from_secs(5), answer));
        }
    });
    Ok(())
}

/// One request, one answer; a request of more than a few kilobytes is none.
async fn answer(mut stream: TcpStream, counters: &Counters) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        if request.len() > 8_192 || stream.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    let (status, body) = match request.starts_with(b"GET ") {
        true => ("200 OK", counters.text()),
        false => ("405 Method Not Allowed", "only GET\n".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).await?;
    stream.shutdown().await
}
