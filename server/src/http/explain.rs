//! Bodies for the answers that hyper gives to malformed requests, which have none.

use super::layers::{MAX_HEAD, MAX_HEADERS};
use super::problem::Problem;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection whose answers to malformed requests say what is wrong.
pub(super) struct Explaining<S>(pub(super) Pin<Box<S>>);

impl<S: AsyncRead> AsyncRead for Explaining<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_read(context, buffer)
    }
}

impl<S: AsyncWrite> AsyncWrite for Explaining<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Some(answer) = explained(bytes) else {
            return self.0.as_mut().poll_write(context, bytes);
        };
        // The system takes an answer this short as a whole, unless earlier ones are still unread.
        match ready!(self.0.as_mut().poll_write(context, &answer))? {
            written if written == answer.len() => Poll::Ready(Ok(bytes.len())),
            _ => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_shutdown(context)
    }
}

/// The answer in the place of one of hyper's without a body; `None` for all others.
fn explained(answer: &[u8]) -> Option<Vec<u8>> {
    let is_refusal = answer.get(9) == Some(&b'4') && answer.ends_with(b"\r\n\r\n");
    let head = str::from_utf8(answer).ok().filter(|_| is_refusal)?;
    let (line, fields) = head.split_once("\r\n")?;
    let problem = match line.get(9..12)? {
        _ if fields.contains("content-type:") => return None,
        "400" => Problem::malformed("expected a request of HTTP/1.1, found something else"),
        "431" => Problem::head_too_large(format!(
            "expected a head of at most {MAX_HEAD} bytes and {MAX_HEADERS} fields, found more"
        )),
        _ => return None,
    };
    let body = serde_json::to_string(&problem).expect("problems have names and numbers only");
    let answer = format!(
        "{line}\r\ncontent-type: application/problem+json\r\ncache-control: no-store\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    Some(answer.into_bytes())
}
