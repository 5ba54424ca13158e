//! A connection: plain, or secured by TLS where that is built in and asked for.
//! Why two ends with names of their own: the one who dials knows whom it looks for, the one who is dialled does not.

use crate::Config;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

pub(crate) enum Stream {
    Plain(TcpStream),
    #[cfg(feature = "tls")]
    Secured(Box<tokio_rustls::TlsStream<TcpStream>>),
}

/// The end that dials.
pub(crate) struct Dialler {
    #[cfg(feature = "tls")]
    tls: Option<(crate::Tls, String)>,
}

/// The end that is dialled.
pub(crate) struct Doorkeeper {
    #[cfg(feature = "tls")]
    tls: Option<crate::Tls>,
}

#[cfg_attr(not(feature = "tls"), allow(unused_variables, reason = "what is plain needs nothing"))]
impl Dialler {
    /// For a peer at this host, as the peers file has it.
    pub(crate) fn new(config: &Config, host: &str) -> Self {
        Dialler {
            #[cfg(feature = "tls")]
            tls: config.tls.clone().map(|tls| (tls, host.to_owned())),
        }
    }

    pub(crate) async fn secure(&self, stream: TcpStream) -> io::Result<Stream> {
        #[cfg(feature = "tls")]
        if let Some((tls, host)) = &self.tls {
            return tls.dial(stream, host).await.map(Box::new).map(Stream::Secured);
        }
        Ok(Stream::Plain(stream))
    }
}

#[cfg_attr(not(feature = "tls"), allow(unused_variables, reason = "what is plain needs nothing"))]
impl Doorkeeper {
    pub(crate) fn new(config: &Config) -> Self {
        Doorkeeper {
            #[cfg(feature = "tls")]
            tls: config.tls.clone(),
        }
    }

    pub(crate) async fn secure(&self, stream: TcpStream) -> io::Result<Stream> {
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            return tls.accept(stream).await.map(Box::new).map(Stream::Secured);
        }
        Ok(Stream::Plain(stream))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            #[cfg(feature = "tls")]
            Stream::Secured(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            #[cfg(feature = "tls")]
            Stream::Secured(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            #[cfg(feature = "tls")]
            Stream::Secured(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            #[cfg(feature = "tls")]
            Stream::Secured(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
