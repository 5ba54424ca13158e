//! A server in this process, and a page that is a program: it sends requests and waits for their answers.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use foresee_debugger::{Options, Served, serve};
use foresee_session::{
    CheckRequest, Home, Inspection, NoFiles, NoMeter, Registry, Silent, Source, check, open,
};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tungstenite::{Message, WebSocket};

#[path = "../systems/mod.rs"]
pub mod systems;

pub const TOKEN: &str = "a-word-for-tests";

pub fn registry() -> Registry {
    systems::all().into_iter().fold(Registry::stock(), Registry::with)
}

pub fn home() -> Home {
    Home { registry: registry(), files: Arc::new(NoFiles), program: "foresee".to_owned() }
}

pub fn at_start(name: &str, parameters: &[&str]) -> Inspection {
    let loaded = open(&Source::nodes(name, parameters), &registry(), &NoFiles).expect("a system");
    Inspection::at_start(&loaded, home())
}

/// The run that goes wrong which `debug` shows by itself.
pub fn forgetful() -> Inspection {
    let source = Source::nodes("paxos", &["clients=2", "bug=forgetful"]);
    let loaded = open(&source, &registry(), &NoFiles).expect("a system");
    let report = check(&loaded, &CheckRequest::default(), &NoMeter, &mut Silent);
    Inspection::of_report(&loaded, &report, home())
}

/// A server that ends when this is dropped.
pub struct Server {
    pub address: SocketAddr,
    pub url: String,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start(inspection: Inspection) -> Server {
        Server::with(inspection, Options::default())
    }

    pub fn with(inspection: Inspection, options: Options) -> Server {
        let options = Options { token: Some(TOKEN.to_owned()), ..options };
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = mpsc::channel::<Served>();
        let raised = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut ready = |served: &Served| tell.send(served.clone()).expect("somebody waits");
            serve(inspection, options, &raised, &mut ready).expect("it can listen");
        });
        let served = told.recv_timeout(Duration::from_secs(60)).expect("it begins to listen");
        Server { address: served.address, url: served.url, stop, thread: Some(thread) }
    }

    pub fn page(&self) -> Page {
        let mut page = self.stranger();
        let hello = page.ask(json!({"do": "hello", "protocol": [1, 0], "token": TOKEN}));
        page.hello = hello;
        page
    }

    /// A connection that has said nothing yet.
    pub fn stranger(&self) -> Page {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let url = format!("ws://{}/api/1/ws", self.address);
        let (socket, _) = tungstenite::client(url, stream).expect("a connection");
        Page { socket, next: 0, news: Vec::new(), hello: Value::Null }
    }

    /// The status and the whole answer to a request as it stands.
    pub fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        (status.unwrap_or(0), answer)
    }

    pub fn get(&self, path: &str, headers: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
    }

    pub fn host(&self) -> String {
        format!("Host: {}\r\n", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A page that is a program.
pub struct Page {
    socket: WebSocket<TcpStream>,
    next: u64,
    pub news: Vec<Value>,
    pub hello: Value,
}

impl Page {
    pub fn send(&mut self, mut request: Value) -> u64 {
        self.next += 1;
        request["id"] = json!(self.next);
        self.socket.send(Message::text(request.to_string())).expect("it is connected");
        self.next
    }

    pub fn send_text(&mut self, text: String) {
        // Who is sent too much may hang up before all of it is there.
        let _ = self.socket.send(Message::text(text));
    }

    /// The next message, or the code of the close.
    pub fn read(&mut self) -> Result<Value, u16> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Ok(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(frame)) => return Err(frame.map_or(0, |it| it.code.into())),
                Ok(_) => {}
                Err(error) => panic!("the connection broke: {error}"),
            }
        }
    }

    /// The whole answer to the request with this number; news on the way are kept.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.read().expect("an answer, not the end");
            if message["id"] == json!(id) {
                return message;
            }
            self.news.push(message);
        }
    }

    pub fn ask(&mut self, request: Value) -> Value {
        let id = self.send(request.clone());
        let answer = self.answer(id);
        assert!(answer.get("ok").is_some(), "{request} was refused: {answer}");
        answer["ok"].clone()
    }

    pub fn refused(&mut self, request: Value) -> Value {
        let id = self.send(request.clone());
        let answer = self.answer(id);
        assert!(answer.get("error").is_some(), "{request} was not refused: {answer}");
        answer["error"].clone()
    }

    /// Waits for news of a kind.
    pub fn news(&mut self, word: &str) -> Value {
        loop {
            if let Some(at) = self.news.iter().position(|it| it["news"] == json!(word)) {
                return self.news.remove(at);
            }
            let message = self.read().expect("news, not the end");
            self.news.push(message);
        }
    }

    /// Takes the choice whose label has this in it.
    pub fn step(&mut self, place: u64, label: &str) -> Value {
        let choices = self.ask(json!({"do": "choices", "place": place}));
        let all = choices["choices"].as_array().expect("choices");
        let is_it = |it: &&Value| it["label"]["text"].as_str().is_some_and(|it| it.contains(label));
        let choice = all.iter().find(is_it).unwrap_or_else(|| panic!("no {label} in {choices}"));
        let text = choice["label"]["text"].clone();
        self.ask(json!({"do": "step", "place": place, "choice": choice["choice"], "label": text}))
    }
}
