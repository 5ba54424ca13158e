//! Mutual TLS: every process shows a certificate and takes only those of one authority. The one who dials also sees that the certificate is
//! for the host that the peers file names, so that one process cannot stand for another.
//! TLS 1.3 alone: both ends are this program.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig, crypto, version};
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

/// What a process shows and whom it believes.
#[derive(Clone)]
pub struct Tls {
    connector: TlsConnector,
    acceptor: TlsAcceptor,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

/// Which file cannot be used, and why.
#[derive(Debug)]
pub struct TlsError {
    pub file: PathBuf,
    pub reason: String,
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for TlsError {}

impl Tls {
    /// Reads PEM files: our certificate (with those between it and the authority, if any), its key, and the authority's certificates.
    pub fn from_files(certificate: &Path, key: &Path, authority: &Path) -> Result<Self, TlsError> {
        let own = certificates(certificate)?;
        let own_key = PrivateKeyDer::from_pem_file(key).map_err(|error| fault(key, &error))?;
        let mut roots = RootCertStore::empty();
        for root in certificates(authority)? {
            roots.add(root).map_err(|error| fault(authority, &error))?;
        }
        let roots = Arc::new(roots);
        let provider = Arc::new(crypto::ring::default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider))
                .build()
                .map_err(|error| fault(authority, &error))?;
        let versions = &[&version::TLS13];
        let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(versions)
            .map_err(|error| fault(certificate, &error))?
            .with_client_cert_verifier(verifier)
            .with_single_cert(own.clone(), own_key.clone_key())
            .map_err(|error| fault(certificate, &error))?;
        let client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)
            .map_err(|error| fault(certificate, &error))?
            .with_root_certificates(roots)
            .with_client_auth_cert(own, own_key)
            .map_err(|error| fault(certificate, &error))?;
        let (connector, acceptor) = (Arc::new(client).into(), Arc::new(server).into());
        Ok(Tls { connector, acceptor })
    }

    pub(crate) async fn dial(
        &self,
        stream: TcpStream,
        host: &str,
    ) -> io::Result<TlsStream<TcpStream>> {
        let name = ServerName::try_from(host.to_owned()).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("`{host}` is no host: {error}"))
        })?;
        let stream = self.connector.connect(name, stream).await.map_err(|error| tls(&error))?;
        Ok(stream.into())
    }

    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        Ok(self.acceptor.accept(stream).await.map_err(|error| tls(&error))?.into())
    }
}

/// The same error, and that it comes from securing the connection.
fn tls(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("TLS: {error}"))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let read: Vec<_> = read.map_err(|error| fault(file, &error))?;
    match read.is_empty() {
        true => Err(fault(file, &"there is no certificate in it")),
        false => Ok(read),
    }
}

fn fault(file: &Path, reason: &dyn fmt::Display) -> TlsError {
    TlsError { file: file.to_owned(), reason: reason.to_string() }
}
