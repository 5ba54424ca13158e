//! Who may speak to the server, and what happens to those who may not, or who say too much.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Server, TOKEN, at_start};
use serde_json::json;

fn server() -> Server {
    Server::start(at_start("ping", &["clients=1", "pings=2"]))
}

#[test]
fn only_its_own_name_is_answered_to() {
    let server = server();
    let port = server.address.port();
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        assert_eq!(server.get("/", &format!("Host: {host}:{port}\r\n")).0, 200, "{host}");
    }
    let foreign = ["evil.test", &format!("evil.test:{port}"), "127.0.0.1", "127.0.0.1:1", ""];
    for host in foreign {
        assert_eq!(server.get("/", &format!("Host: {host}\r\n")).0, 421, "{host}");
    }
    assert_eq!(server.get("/api/1/health", &server.host()).0, 200);
}

#[test]
fn pages_of_others_are_refused() {
    let server = server();
    let own = format!("{}Origin: http://{}\r\n", server.host(), server.address);
    assert_eq!(server.get("/", &own).0, 200);
    for origin in ["https://evil.test", "null", "http://127.0.0.1", "https://127.0.0.1:1"] {
        let headers = format!("{}Origin: {origin}\r\n", server.host());
        assert_eq!(server.get("/", &headers).0, 403, "{origin}");
        assert_eq!(server.get("/api/1/ws", &headers).0, 403, "{origin}");
    }
}

#[test]
fn every_answer_carries_the_headers_that_keep_scripts_out() {
    let server = server();
    for (path, status) in [("/", 200), ("/app.js", 200), ("/app.css", 200), ("/nothing", 404)] {
        let (code, answer) = server.get(path, &server.host());
        let answer = answer.to_lowercase();
        assert_eq!(code, status, "{path}");
        for header in [
            "content-security-policy: default-src 'self'; connect-src 'self' ws://127.0.0.1:",
            "referrer-policy: no-referrer",
            "x-content-type-options: nosniff",
        ] {
            assert!(answer.contains(header), "{path} lacks {header}: {answer}");
        }
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = server();
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/app.js/../../Cargo.toml",
        "/index.html%00",
        "/web/dist/app.js",
    ] {
        let (status, answer) = server.get(path, &server.host());
        assert_eq!(status, 404, "{path}: {answer}");
    }
}

#[test]
fn a_wrong_token_is_shown_the_door() {
    let server = server();
    for token in ["", "wrong", "a-word-for-testS", "a-word-for-tests1", "a-word"] {
        let mut page = server.stranger();
        page.send(json!({"do": "hello", "protocol": [1, 0], "token": token}));
        assert_eq!(page.read(), Err(4401), "{token}");
    }
    let mut page = server.stranger();
    page.send(json!({"do": "rows", "from": 0, "to": 1}));
    assert_eq!(page.read(), Err(1008), "nothing is answered before hello");
}

#[test]
fn another_protocol_is_refused_and_a_newer_page_is_not() {
    let server = server();
    let mut page = server.stranger();
    page.send(json!({"do": "hello", "protocol": [2, 0], "token": TOKEN}));
    assert_eq!(page.read(), Err(4400));
    let mut page = server.stranger();
    let hello = page.ask(json!({"do": "hello", "protocol": [1, 9], "token": TOKEN, "more": 1}));
    assert_eq!(hello["protocol"], json!([1, 0]));
}

#[test]
fn a_message_that_is_too_long_ends_the_connection_and_not_the_session() {
    let server = server();
    let mut page = server.page();
    let taken = page.step(0, "deliver");
    let mut loud = server.page();
    loud.send_text(format!("{{\"id\":1,\"do\":\"find\",\"text\":\"{}\"}}", "x".repeat(2 << 20)));
    assert_eq!(loud.read(), Err(1009));
    let rows = page.ask(json!({"do": "rows", "from": 0, "to": 9}));
    assert_eq!(rows["total"], json!(2), "{taken}");
    assert_eq!(server.page().ask(json!({"do": "rows", "from": 0, "to": 9}))["total"], json!(2));
}

#[test]
fn what_is_no_request_is_refused_by_name() {
    let server = server();
    let mut page = server.page();
    assert_eq!(page.refused(json!({"do": "fly"}))["code"], "unknown-request");
    assert_eq!(page.refused(json!({"do": "state"}))["code"], "bad-request");
    assert_eq!(page.refused(json!({"do": "state", "place": -1}))["code"], "bad-request");
    assert_eq!(page.refused(json!({"do": "state", "place": 99}))["code"], "no-such-place");
    assert_eq!(
        page.refused(json!({"do": "rows", "branch": 7, "from": 0, "to": 1}))["code"],
        "no-such-branch"
    );
    page.send_text("this is no JSON".to_owned());
    assert_eq!(page.read().expect("an answer")["error"]["code"], "bad-request");
    let nested = "[".repeat(100_000);
    page.send_text(nested);
    assert_eq!(page.read().expect("an answer")["error"]["code"], "bad-request");
    assert_eq!(page.ask(json!({"do": "rows", "from": 0, "to": 1}))["total"], json!(1));
}

/// The status and the body of the answer to a session that is sent.
fn upload(server: &Server, token: &str, text: &str) -> (u16, String) {
    let length = text.len();
    let (status, answer) = server.raw(&format!(
        "POST /api/1/session HTTP/1.1\r\n{}X-Foresee-Token: {token}\r\nContent-Type: text/plain\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{text}",
        server.host()
    ));
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
    (status, body.unwrap_or_default())
}

#[test]
fn a_session_is_opened_beside_the_first_by_who_knows_the_token_and_not_without_end() {
    let server = server();
    let text = at_start("ping", &["clients=1", "pings=1"]).to_session();
    assert_eq!(upload(&server, "wrong", &text).0, 401);
    let (status, body) = upload(&server, TOKEN, "this is no session");
    assert!(status == 400 && body.contains("bad-session"), "{status} {body}");
    let (status, body) = upload(&server, TOKEN, &text);
    assert_eq!((status, body.as_str()), (200, "{\"session\":\"s-2\"}"));
    let opened = (0..).take_while(|_| upload(&server, TOKEN, &text).0 == 200).count();
    assert_eq!(opened, 62, "64 sessions in all");
    let (_, body) = upload(&server, TOKEN, &text);
    assert!(body.contains("too-many"), "{body}");
    assert_eq!(server.page().hello["session"], "s-1", "the first is still there");
}
