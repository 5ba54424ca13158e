//! The HTTP server: who may speak to it, and what it hands out.
//! Why so strict on loopback: every page in the user's browser can reach this port. A foreign page is kept out by its `Origin`;
//! one whose name was rebound to this machine by its `Host`; a program without the token by the first message.
//! Not here: what is said on a connection (`socket`).

use crate::hub::Hub;
use crate::{assets, socket};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::serve::ListenerExt as _;
use foresee_session::Inspection;
use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How a session is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 picks one.
    pub listen: SocketAddr,
    /// What the page has to know; made up if it is not given.
    pub token: Option<String>,
    /// The session's file, to be written by `save`.
    pub file: Option<PathBuf>,
    /// Replay the session when a file of the system is saved.
    pub watches: bool,
}

impl Default for Options {
    fn default() -> Self {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        Options { listen, token: None, file: None, watches: false }
    }
}

/// A server that runs.
#[derive(Clone, Debug)]
pub struct Served {
    /// What to open in a browser.
    pub url: String,
    pub address: SocketAddr,
}

/// As often it is looked whether to stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Serves a session until `stop` is raised. `ready` is told where.
pub fn serve(
    inspection: Inspection,
    options: Options,
    stop: &Arc<AtomicBool>,
    ready: &mut dyn FnMut(&Served),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_io()
        .enable_time()
        .build()?;
    let ended = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(options.listen).await?;
        let address = listener.local_addr()?;
        // An answer in two packets would wait 40 ms for the second.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let token = match options.token.clone() {
            Some(token) => token,
            None => random_token()?,
        };
        let hub = Hub::new(token.clone(), &options, inspection);
        let hosts = hosts(address);
        let policy = policy(&hosts);
        let access = Access { hub: Arc::clone(&hub), hosts: hosts.into(), policy };
        let url = format!("http://{address}/#t={token}");
        ready(&Served { url, address });
        let stop = Arc::clone(stop);
        let stopped = async move {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOK_EVERY).await;
                hub.look_after();
            }
            hub.say_bye();
            // What is said last needs a moment to be sent.
            tokio::time::sleep(LOOK_EVERY).await;
        };
        tokio::select! {
            ended = axum::serve(listener, router(access)) => ended,
            () = stopped => Ok(()),
        }
    });
    // Nobody waits for a handler that does not return.
    runtime.shutdown_background();
    ended
}

#[derive(Clone)]
struct Access {
    hub: Arc<Hub>,
    /// The values of `Host` that mean this server.
    hosts: Arc<[String]>,
    policy: HeaderValue,
}

fn router(access: Access) -> Router {
    Router::new()
        .route("/api/1/ws", any(connect))
        .route("/api/1/health", get(|| async { "ok\n" }))
        .route("/api/1/session", post(upload).layer(DefaultBodyLimit::max(UPLOAD_MAX)))
        .fallback(get(page))
        .layer(middleware::from_fn_with_state(access.clone(), guard))
        .with_state(access)
}

async fn connect(State(access): State<Access>, upgrade: WebSocketUpgrade) -> Response {
    let upgrade = upgrade
        .max_message_size(socket::READ_MAX)
        .max_frame_size(socket::READ_MAX)
        .write_buffer_size(0);
    upgrade.on_upgrade(move |socket| socket::talk(socket, access.hub))
}

/// A session file may be so long.
const UPLOAD_MAX: usize = 32 << 20;
/// The header that shows the token where there is no first message to do so.
const TOKEN: &str = "x-foresee-token";

/// Opens a session that the page has read from a file: `{"session":"s-2"}`, or why it cannot be opened.
async fn upload(State(access): State<Access>, headers: HeaderMap, text: String) -> Response {
    let token = headers.get(TOKEN).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if !access.hub.is_token(token) {
        return (StatusCode::UNAUTHORIZED, "the token is wrong\n").into_response();
    }
    // Loading runs code of the user, which may take long and needs a deep stack.
    let (told, opened) = tokio::sync::oneshot::channel();
    let open = move || drop(told.send(access.hub.open(&text)));
    let thread = std::thread::Builder::new().stack_size(crate::worker::STACK).spawn(open);
    let opened = match (thread, opened.await) {
        (Ok(_), Ok(opened)) => opened,
        _ => Err(crate::worker::refusal("session-ended", "the session could not be loaded")),
    };
    let (status, answer) = match opened {
        Ok(session) => (StatusCode::OK, serde_json::json!({ "session": session })),
        Err(refused) => (StatusCode::BAD_REQUEST, serde_json::json!({ "error": refused })),
    };
    (status, [(header::CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
}

async fn page(request: Request) -> Response {
    let Some(asset) = assets::find(request.uri().path()) else {
        return (StatusCode::NOT_FOUND, "there is no such page\n").into_response();
    };
    let known = request.headers().get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == asset.tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mut response = Response::new(Body::from(asset.content.into_owned()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    if let Ok(tag) = HeaderValue::from_str(&asset.tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Values are shown as text, never as markup; should that ever fail, scripts in them still do not run.
const HEADERS: [(&str, &str); 5] = [
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-cache"),
];

/// Refuses whoever means another server or comes from another page, and puts the headers on every answer.
async fn guard(State(access): State<Access>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&access.hosts, request.headers()) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let policy = access.policy.clone();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
    response
}

fn refusal(hosts: &[String], headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|it| it.to_str().unwrap_or_default());
    let is_ours = |host: &str| hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
    if !text(header::HOST).is_some_and(is_ours) {
        return Some((StatusCode::MISDIRECTED_REQUEST, "this server has another name\n"));
    }
    let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
    match text(header::ORIGIN) {
        Some(origin) if !is_own_origin(origin) => {
            Some((StatusCode::FORBIDDEN, "this page may not speak to the server\n"))
        }
        _ => None,
    }
}

/// Where scripts, styles and pictures of the page may come from, and whom it may speak to: this server.
/// `'self'` means its socket too, but not in every browser; an address in brackets cannot be named there at all.
fn policy(hosts: &[String]) -> HeaderValue {
    let hosts = hosts.iter().filter(|host| !host.starts_with('['));
    let sockets: BTreeSet<String> = hosts.map(|host| format!("ws://{host}")).collect();
    let sockets: Vec<String> = sockets.into_iter().collect();
    let text = format!(
        "default-src 'self'; connect-src 'self' {}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        sockets.join(" ")
    );
    HeaderValue::from_str(&text).expect("names and numbers")
}

fn hosts(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut hosts: Vec<String> =
        ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")).into();
    hosts.push(address.to_string());
    hosts
}

/// 128 bits that nobody can guess.
fn random_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
