//! One connection: the first message shows the token and says hello, then requests come and answers and news go.

use crate::hub::{Client, Hub};
use crate::protocol::{Answered, Frame, Outcome, PROTOCOL, REQUESTS, Refused, Request};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::{SinkExt as _, StreamExt as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// A message of the page may be so long.
const MESSAGE_MAX: usize = 1 << 20;
/// So much is read, so that who sends too much is told so.
pub(crate) const READ_MAX: usize = 64 << 20;
/// As many answers and news may wait for a page that does not read them.
const WAITING_MAX: usize = 4096;
/// Whoever connects has this long to say hello.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

pub(crate) const WRONG_TOKEN: u16 = 4401;
pub(crate) const OTHER_PROTOCOL: u16 = 4400;
const TOO_LARGE: u16 = 1009;
const POLICY: u16 = 1008;

/// Speaks with one page until either side ends it.
pub(crate) async fn talk(socket: WebSocket, hub: Arc<Hub>) {
    let (mut sink, mut stream) = socket.split();
    let (out, mut waiting) = mpsc::channel::<Message>(WAITING_MAX);
    let writer = tokio::spawn(async move {
        while let Some(message) = waiting.recv().await {
            let is_last = matches!(message, Message::Close(_));
            if sink.send(message).await.is_err() || is_last {
                break;
            }
        }
        let _ = sink.close().await;
    });
    let mut client: Option<Client> = None;
    loop {
        let next = stream.next();
        let next = match client {
            Some(_) => next.await,
            None => match tokio::time::timeout(HELLO_WITHIN, next).await {
                Ok(next) => next,
                Err(_) => break close(&out, POLICY, "no hello").await,
            },
        };
        let text = match next {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Binary(_))) => break close(&out, 1003, "text only").await,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Close(_)) | Err(_)) | None => break,
        };
        if text.len() > MESSAGE_MAX {
            break close(&out, TOO_LARGE, "a message has at most 1 MiB").await;
        }
        let frame = match read(&text) {
            Ok(frame) => frame,
            Err((id, refused)) => {
                let outcome = Outcome::Error(refused);
                let text = serde_json::to_string(&Answered { id, outcome }).expect("plain data");
                if client.is_none() || out.send(Message::text(text)).await.is_err() {
                    break close(&out, POLICY, "the first message has to be hello").await;
                }
                continue;
            }
        };
        if let Some(client) = &client {
            client.ask(frame);
            continue;
        }
        let Request::Hello { protocol, token, resume, name } = &frame.request else {
            break close(&out, POLICY, "the first message has to be hello").await;
        };
        if !hub.is_token(token) {
            break close(&out, WRONG_TOKEN, "the token is wrong").await;
        }
        if protocol[0] != PROTOCOL[0] {
            let words = format!("the program speaks protocol {}", PROTOCOL[0]);
            break close(&out, OTHER_PROTOCOL, &words).await;
        }
        let joined = hub.join(resume.as_deref(), name.as_deref(), out.clone());
        joined.ask(frame);
        client = Some(joined);
    }
    drop(client);
    drop(out);
    let _ = tokio::time::timeout(Duration::from_secs(2), writer).await;
}

async fn close(out: &mpsc::Sender<Message>, code: u16, reason: &str) {
    let frame = CloseFrame { code, reason: reason.into() };
    let _ = out.send(Message::Close(Some(frame))).await;
}

/// A request, or why it is none; unknown ones are refused by name, so that a newer page can do without them.
fn read(text: &str) -> Result<Frame, (u32, Refused)> {
    let refused = |code: &str, message: String| Refused {
        code: code.to_owned(),
        message,
        help: Some("the page and the program may be of different versions: reload".to_owned()),
    };
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| (0, refused("bad-request", format!("no JSON: {error}"))))?;
    let id = value["id"].as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
    let word = value["do"].as_str().unwrap_or_default().to_owned();
    Frame::deserialize_from(value).map_err(|error| {
        let is_known = REQUESTS.contains(&word.as_str());
        let code = if is_known { "bad-request" } else { "unknown-request" };
        (id, refused(code, format!("`{word}`: {error}")))
    })
}

impl Frame {
    fn deserialize_from(value: serde_json::Value) -> serde_json::Result<Frame> {
        serde_json::from_value(value)
    }
}
