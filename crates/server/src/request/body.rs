//! Request bodies: kept raw for `php://input`, or decoded into `$_POST` and `$_FILES`, by PHP's rules.
//!
//! A body is complete before its script starts (as behind nginx), so that a slow client never holds an engine
//! instance. Long raw bodies are in an unnamed file; reading them blocks no longer than the page cache does.

use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use jumbo_abi::mounts::Mount;
use jumbo_abi::open_file::OpenFile;

use super::multipart::{self, Fields, Form, MultipartParser};
use super::spool::{Charge, Spool};
use super::tree::Map;
use super::uploads::Uploads;
use super::variables::{Decoded, parse_form};
use super::{Diagnostic, InputLimits};

/// A whole body as `php://input` reads it. Cloning shares the bytes.
#[derive(Clone, Debug, Default)]
pub enum RawBody {
    #[default]
    Empty,
    Memory { bytes: Bytes, charge: Arc<Charge> },
    File {
        file: Arc<OpenFile>,
        len: u64,
    },
}

impl RawBody {
    pub fn len(&self) -> u64 {
        match self {
            RawBody::Empty => 0,
            RawBody::Memory { bytes, .. } => bytes.len() as u64,
            RawBody::File { len, .. } => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies bytes from `offset` on into `into`; 0 means the end.
    pub fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        match self {
            RawBody::Empty => Ok(0),
            RawBody::Memory { bytes, .. } => {
                let from = usize::try_from(offset)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                let n = into.len().min(bytes.len() - from);
                into[..n].copy_from_slice(&bytes[from..from + n]);
                Ok(n)
            }
            RawBody::File { file, .. } => file.get().read_at(into, offset),
        }
    }

    /// The file system to ask for it, if that may not answer.
    fn is_far(&self) -> Option<Mount> {
        match self {
            RawBody::File { file, .. } => file.mount,
            RawBody::Empty | RawBody::Memory { .. } => None,
        }
    }

    /// The whole body in memory.
    pub fn read_all(&self) -> io::Result<Bytes> {
        match self {
            RawBody::Empty => Ok(Bytes::new()),
            RawBody::Memory { bytes, .. } => Ok(bytes.clone()),
            RawBody::File { file, len } => {
                let len = usize::try_from(*len).map_err(io::Error::other)?;
                let mut all = vec![0; len];
                file.get().read_exact_at(&mut all, 0)?;
                Ok(all.into())
            }
        }
    }
}

/// The source of `$_POST`, decoded when the script begins: until then a request may wait for long, and there may be many.
#[derive(Clone, Debug, Default)]
pub enum PostInput {
    #[default]
    None,
    /// The raw body is an urlencoded form.
    Form,
    Multipart(Arc<Fields>),
}

/// The file system that has a body or a part of it, if that may not answer: before anything of it is read it is to be
/// [brought near](brought_near).
pub(super) fn is_far(raw: &RawBody, post: &PostInput) -> Option<Mount> {
    raw.is_far().or_else(|| match post {
        PostInput::Multipart(fields) => fields.is_far(),
        PostInput::None | PostInput::Form => None,
    })
}

/// Copies in memory, made by a thread that may wait.
pub(super) fn brought_near(raw: &RawBody, post: &PostInput, limits: &InputLimits) -> io::Result<(RawBody, PostInput)> {
    let raw = match raw {
        RawBody::File { .. } => RawBody::Memory { bytes: raw.read_all()?, charge: Arc::new(Charge::new(&limits.body_memory)) },
        near => near.clone(),
    };
    let post = match post {
        PostInput::Multipart(fields) => PostInput::Multipart(Arc::new(fields.brought_near()?)),
        other => other.clone(),
    };
    Ok((raw, post))
}

impl PostInput {
    /// `raw` and `limits`: those of the same body. Fails only when a temporary file cannot be read.
    pub fn decode(&self, raw: &RawBody, limits: &InputLimits) -> io::Result<Decoded> {
        match self {
            PostInput::None => Ok(Decoded::default()),
            PostInput::Form => Ok(parse_form(&raw.read_all()?, limits)),
            PostInput::Multipart(fields) => fields.decode(limits),
        }
    }
}

/// A body after decoding.
#[derive(Debug, Default)]
pub struct DecodedBody {
    pub raw: RawBody,
    /// Bytes received, also when nothing of them was kept raw (`multipart/form-data`).
    pub len: u64,
    pub post: PostInput,
    pub files: Map,
    pub uploads: Arc<Uploads>,
    /// What [`PostInput::decode`] reports comes behind these.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug)]
enum Target {
    Raw { urlencoded: bool, spool: Spool },
    Multipart(Box<MultipartParser>),
}

/// Takes a body in pieces.
#[derive(Debug)]
pub struct BodyDecoder {
    limits: InputLimits,
    target: Target,
    len: u64,
    diagnostics: Vec<Diagnostic>,
}

impl BodyDecoder {
    /// `content_length` is what the client announced, if it did: PHP decides by it whether to parse at all.
    pub fn new(
        method: &[u8],
        content_type: &[u8],
        content_length: Option<u64>,
        limits: &InputLimits,
    ) -> BodyDecoder {
        let mut diagnostics = Vec::new();
        let fits = content_length
            .is_none_or(|len| limits.post_max_size == 0 || len <= limits.post_max_size);
        let parses =
            limits.enable_post_data_reading && method.eq_ignore_ascii_case(b"POST") && fits;
        let raw = |urlencoded| Target::Raw { urlencoded, spool: Spool::new(limits) };
        let target = match media_type(content_type).as_slice() {
            b"application/x-www-form-urlencoded" if parses => raw(true),
            b"multipart/form-data" if parses => match multipart::boundary(content_type) {
                Ok(boundary) => {
                    Target::Multipart(Box::new(MultipartParser::new(&boundary, limits.clone())))
                }
                Err(diagnostic) => {
                    diagnostics.push(diagnostic);
                    raw(false)
                }
            },
            _ => raw(false),
        };
        BodyDecoder { limits: limits.clone(), target, len: 0, diagnostics }
    }

    /// Bytes received so far.
    pub fn received(&self) -> u64 {
        self.len
    }

    /// The file system that may have to be asked when so many bytes more are pushed, or at the end, if it may not answer.
    pub fn far(&self, bytes: usize) -> Option<Mount> {
        match &self.target {
            Target::Raw { spool, .. } => spool.far(bytes),
            Target::Multipart(parser) => parser.far(),
        }
    }

    /// Takes the next bytes. Fails when a temporary file cannot be written, or there is no memory for more bodies
    /// ([`io::ErrorKind::ResourceBusy`]).
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len() as u64;
        let too_large = self.over_post_limit();
        match &mut self.target {
            Target::Multipart(_) if too_large => Ok(()),
            Target::Multipart(parser) => parser.push(bytes),
            Target::Raw { spool, .. } => spool.append(bytes).map(drop),
        }
    }

    fn over_post_limit(&self) -> bool {
        self.limits.post_max_size > 0 && self.len > self.limits.post_max_size
    }

    /// The body is complete.
    pub fn finish(self) -> io::Result<DecodedBody> {
        let too_large = self.over_post_limit();
        let mut decoded = DecodedBody { len: self.len, diagnostics: self.diagnostics, ..DecodedBody::default() };
        match self.target {
            Target::Raw { urlencoded, spool } => {
                decoded.raw = spool.into_raw();
                if urlencoded && !too_large {
                    decoded.post = PostInput::Form;
                }
            }
            Target::Multipart(parser) if !too_large => {
                let Form { fields, files, uploads } = parser.finish()?;
                decoded.post = PostInput::Multipart(Arc::new(fields));
                decoded.files = files;
                decoded.uploads = uploads;
            }
            Target::Multipart(_) => {}
        }
        if too_large {
            decoded.diagnostics.push(Diagnostic::warning(format_args!(
                "POST Content-Length of {} bytes exceeds the limit of {} bytes",
                self.len, self.limits.post_max_size
            )));
        }
        Ok(decoded)
    }
}

/// The type without parameters, in lower case; PHP ends it at `;`, `,` or a space.
fn media_type(content_type: &[u8]) -> Vec<u8> {
    let end = content_type
        .iter()
        .position(|b| matches!(b, b';' | b',' | b' '))
        .unwrap_or(content_type.len());
    content_type[..end].to_ascii_lowercase()
}
