//! The floor: an echo over TCP with the same framing, and nothing else. So many frames are under way at a time, as many as closed-loop
//! clients would have; whatever has arrived is answered by one write.

use bytes::BytesMut;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::{Decoder, LengthDelimitedCodec};

/// How many frames came back.
pub(crate) fn measure(in_flight: usize, size: usize, duration: Duration) -> f64 {
    let (tell, told) = std::sync::mpsc::channel();
    let server = std::thread::spawn(move || {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            tell.send(listener.local_addr()?).map_err(std::io::Error::other)?;
            let (stream, _) = listener.accept().await?;
            echo(stream, usize::MAX, None).await
        })
    });
    let at = told.recv().expect("the server listens");
    let n = run(async {
        let mut stream = TcpStream::connect(at).await?;
        stream.set_nodelay(true)?;
        let mut first = Vec::new();
        for _ in 0..in_flight {
            first.extend_from_slice(&(size as u32).to_le_bytes());
            first.resize(first.len() + size, 7);
        }
        stream.write_all(&first).await?;
        echo(stream, usize::MAX, Some(Instant::now() + duration)).await
    });
    let _ = server.join();
    n.expect("the echo runs") as f64
}

fn run(work: impl Future<Output = std::io::Result<u64>>) -> std::io::Result<u64> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Sends every frame back until the time is up or the other side ends.
async fn echo(mut stream: TcpStream, n_max: usize, until: Option<Instant>) -> std::io::Result<u64> {
    stream.set_nodelay(true)?;
    let mut codec =
        LengthDelimitedCodec::builder().little_endian().length_field_length(4).new_codec();
    let (mut arrived, mut answer) = (BytesMut::with_capacity(64 << 10), Vec::new());
    let mut n = 0;
    while n < n_max as u64 && until.is_none_or(|until| Instant::now() < until) {
        if stream.read_buf(&mut arrived).await? == 0 {
            break;
        }
        while let Some(frame) = codec.decode(&mut arrived)? {
            answer.extend_from_slice(&(frame.len() as u32).to_le_bytes());
            answer.extend_from_slice(&frame);
            n += 1;
        }
        stream.write_all(&answer).await?;
        answer.clear();
    }
    Ok(n)
}
