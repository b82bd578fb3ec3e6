//! A small HTTP client: one connection, requests one after the other, responses read in pieces.

use std::io;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A connection to the laboratory.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    host: String,
    /// Unread bytes of the response; `None` if it is chunked.
    left: Option<usize>,
}

/// The head of a response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Time until it arrived.
    pub(crate) took: Duration,
}

impl Client {
    /// Connects to `http://host:port`.
    pub(crate) async fn connect(origin: &str) -> io::Result<Client> {
        let host = origin.trim_start_matches("http://").to_owned();
        let stream = TcpStream::connect(&host).await?;
        stream.set_nodelay(true)?;
        Ok(Client { stream: BufReader::new(stream), host, left: Some(0) })
    }

    /// Sends a request and reads the head of the response. The body of the previous response must
    /// have been read.
    pub(crate) async fn ask(&mut self, path: &str, body: Option<&Value>) -> io::Result<Answer> {
        let (method, body) = body.map_or(("GET", String::new()), |body| ("POST", body.to_string()));
        let (host, length, began) = (&self.host, body.len(), Instant::now());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(head.as_bytes()).await?;
        let status = self.line().await?;
        let took = began.elapsed();
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        self.left = None;
        loop {
            let line = self.line().await?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(length) = line.strip_prefix("content-length: ") {
                self.left = length.parse().ok();
            }
        }
        Ok(Answer { status: status.ok_or(io::ErrorKind::InvalidData)?, took })
    }

    /// Returns the next piece of the response; `None` at its end.
    pub(crate) async fn piece(&mut self) -> io::Result<Option<String>> {
        let length = match self.left {
            Some(length) => length,
            None => usize::from_str_radix(&self.line().await?, 16).map_err(io::Error::other)?,
        };
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await?;
        match &mut self.left {
            Some(left) => *left = 0,
            None => drop(self.line().await?),
        }
        Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Returns the rest of the response.
    pub(crate) async fn rest(&mut self) -> io::Result<String> {
        let mut text = String::new();
        while let Some(piece) = self.piece().await? {
            text += &piece;
        }
        Ok(text)
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }
}
