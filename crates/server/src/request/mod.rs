//! Requests as PHP sees them: superglobals decoded from bytes, uploaded files, the raw body, `$_SERVER`.
//!
//! This folder knows nothing of HTTP connections, so that CGI, FastCGI and the development server decode with the
//! same code. It does touch the file system, for uploads and large bodies. Everything here must survive any bytes.
//!
//! Behaviour is stock PHP 8.4's, observed through php-cgi and php-fpm.

mod body;
mod multipart;
mod part_header;
mod script_request;
mod spool;
mod tree;
mod uploads;
mod variables;

pub use body::{BodyDecoder, DecodedBody, PostInput, RawBody};
pub use script_request::{ConnectionFacts, HeaderList, ScriptRequest, ServerFacts, ServerValue};
pub use spool::BodyMemory;
pub use tree::{Key, Map, Tree};
pub use uploads::Uploads;
pub use variables::{Decoded, parse_cookies, parse_form, parse_query, register, url_decode};

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jumbo_abi::mounts::{self, Mount};

/// The ini settings that request decoding obeys, under PHP's names. The default values are PHP's built-in ones.
#[derive(Clone, Debug)]
pub struct InputLimits {
    /// Variables per source (GET, POST, COOKIE each); what comes after is not taken, with a warning.
    pub max_input_vars: usize,
    /// Bracket pairs in one name.
    pub max_input_nesting_level: usize,
    /// Bytes of a body that is parsed into `$_POST` and `$_FILES`; 0 means no limit. A larger body leaves both
    /// empty, with a warning; it can still be read raw.
    pub post_max_size: u64,
    pub file_uploads: bool,
    /// Bytes of one uploaded file; 0 means no limit.
    pub upload_max_filesize: u64,
    pub max_file_uploads: usize,
    /// Parts of a multipart body; unset: as many as variables and files together.
    pub max_multipart_body_parts: Option<usize>,
    /// Folder of uploaded files; the system's temporary folder when unset.
    pub upload_tmp_dir: Option<PathBuf>,
    /// Others wait for the threads that bodies are received on: file systems that may not answer are for [other
    /// threads](BodyDecoder::far).
    pub has_other_threads: bool,
    /// When off, bodies stay raw, whatever their type.
    pub enable_post_data_reading: bool,
    /// Each byte separates arguments in query strings (`arg_separator.input`).
    pub arg_separators: Vec<u8>,
    /// Bytes of a body that stay in memory until its script begins; what is longer goes to an unnamed temporary file.
    pub body_memory_bytes_max: usize,
    /// What all bodies together may have there.
    pub body_memory: Arc<BodyMemory>,
}

impl Default for InputLimits {
    fn default() -> InputLimits {
        InputLimits {
            max_input_vars: 1000,
            max_input_nesting_level: 64,
            post_max_size: 8 << 20,
            file_uploads: true,
            upload_max_filesize: 2 << 20,
            max_file_uploads: 20,
            max_multipart_body_parts: None,
            upload_tmp_dir: None,
            has_other_threads: false,
            enable_post_data_reading: true,
            arg_separators: b"&".to_vec(),
            body_memory_bytes_max: 256 << 10,
            body_memory: BodyMemory::new(usize::MAX),
        }
    }
}

impl InputLimits {
    /// The file system of temporary files, if it is one that may not answer. Both folders count: the system's is taken when the
    /// configured one does not do.
    fn mount(&self) -> Option<Mount> {
        static SYSTEMS: OnceLock<PathBuf> = OnceLock::new();
        if !self.has_other_threads || !mounts::are_there_remote() {
            return None;
        }
        let far = |folder: &Path| mounts::remote(&std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()));
        let configured = self.upload_tmp_dir.as_deref().and_then(far);
        configured.or_else(|| far(SYSTEMS.get_or_init(std::env::temp_dir)))
    }
}

/// The PHP error level of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Warning,
    Notice,
}

/// What PHP reports while it starts a request, before any script runs (`in Unknown on line 0`). The message
/// carries PHP's `PHP Request Startup: ` prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub level: Level,
    pub message: String,
    /// Reported only while display_errors is off: it tells an attacker about the configuration.
    pub log_only: bool,
}

impl Diagnostic {
    fn warning(text: impl std::fmt::Display) -> Diagnostic {
        Diagnostic {
            level: Level::Warning,
            message: format!("PHP Request Startup: {text}"),
            log_only: false,
        }
    }

    fn nested_too_deeply(limits: &InputLimits) -> Diagnostic {
        let mut diagnostic = Diagnostic::warning(format_args!(
            "Input variable nesting level exceeded {}. To increase the limit change max_input_nesting_level in php.ini.",
            limits.max_input_nesting_level
        ));
        diagnostic.log_only = true;
        diagnostic
    }

    fn too_many_variables(limits: &InputLimits) -> Diagnostic {
        Diagnostic::warning(format_args!(
            "Input variables exceeded {}. To increase the limit change max_input_vars in php.ini.",
            limits.max_input_vars
        ))
    }
}
