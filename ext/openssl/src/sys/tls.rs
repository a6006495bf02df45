//! A TLS connection between two memory buffers: what came from the network is put in, what is to be sent is taken out. Nothing here
//! waits, and the library makes no system call.

use super::store::Store;
use super::{Bio, Certificate, borrowed_text, handle, raw, text_arg};
use std::ffi::{c_int, c_long, c_uchar, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::rc::Rc;

handle!(ContextHandle, raw::SSL_CTX, raw::SSL_CTX_free);
handle!(Ssl, raw::SSL, raw::SSL_free);

/// What is accepted although the library would refuse it.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub allow_self_signed: bool,
    /// How long a chain of certificates may be.
    pub depth: c_int,
}

/// Settings of connections.
pub struct Context {
    handle: ContextHandle,
    server: bool,
    /// The library holds pointers to these: they stay in their places.
    policy: Box<Policy>,
    names: Box<Vec<(Vec<u8>, Context)>>,
    protocols: Box<Vec<u8>>,
    password: Box<Vec<u8>>,
}

/// What an operation needs before it can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<T> {
    Done(T),
    /// Bytes of the other side.
    NeedsInput,
    /// The other side has ended the connection in order.
    Closed,
    /// The library's number of the kind of failure; the error queue says more.
    Failed(c_int),
}

unsafe extern "C" fn give_password(buffer: *mut std::ffi::c_char, size: c_int, _writing: c_int, password: *mut c_void) -> c_int {
    // SAFETY: `password` is the context's, which outlives the call; the buffer has `size` bytes.
    unsafe {
        let password = &*password.cast::<Vec<u8>>();
        let len = password.len().min(usize::try_from(size).unwrap_or(0));
        std::ptr::copy_nonoverlapping(password.as_ptr(), buffer.cast::<u8>(), len);
        len as c_int
    }
}

/// Looks at each certificate of a chain: a self-signed one may be allowed, and the chain has a longest length.
extern "C" fn check_certificate(good: c_int, store: *mut raw::X509_STORE_CTX) -> c_int {
    // SAFETY: the library calls with a check that belongs to a connection, whose context has the policy.
    unsafe {
        let ssl: *mut raw::SSL = raw::X509_STORE_CTX_get_ex_data(store, raw::SSL_get_ex_data_X509_STORE_CTX_idx()).cast();
        let policy: *const Policy = raw::SSL_CTX_get_ex_data(raw::SSL_get_SSL_CTX(ssl), 0).cast();
        let Some(policy) = policy.as_ref() else { return good };
        let mut good = good;
        if raw::X509_STORE_CTX_get_error(store) == raw::X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT && policy.allow_self_signed {
            good = 1;
        }
        if raw::X509_STORE_CTX_get_error_depth(store) > policy.depth {
            raw::X509_STORE_CTX_set_error(store, raw::X509_V_ERR_CERT_CHAIN_TOO_LONG);
            good = 0;
        }
        good
    }
}

/// Takes the certificate of the name that the client asks for.
extern "C" fn choose_name(ssl: *mut raw::SSL, _alert: *mut c_int, names: *mut c_void) -> c_int {
    // SAFETY: `names` is the context's, which outlives its connections; the name belongs to the connection.
    unsafe {
        let names = &*names.cast::<Vec<(Vec<u8>, Context)>>();
        let Some(wanted) = borrowed_text(raw::SSL_get_servername(ssl, raw::TLSEXT_NAMETYPE_host_name)) else {
            return raw::SSL_TLSEXT_ERR_NOACK;
        };
        match names.iter().find(|(pattern, _)| matches_wildcard(&wanted, pattern)) {
            Some((_, context)) => {
                raw::SSL_set_SSL_CTX(ssl, context.handle.ptr());
                raw::SSL_TLSEXT_ERR_OK
            }
            None => raw::SSL_TLSEXT_ERR_NOACK,
        }
    }
}

/// Takes the server's first protocol that the client knows.
extern "C" fn choose_protocol(
    _ssl: *mut raw::SSL,
    out: *mut *const c_uchar,
    out_len: *mut c_uchar,
    offered: *const c_uchar,
    offered_len: std::ffi::c_uint,
    protocols: *mut c_void,
) -> c_int {
    // SAFETY: `protocols` is the context's, which outlives its connections.
    unsafe {
        let ours = &*protocols.cast::<Vec<u8>>();
        let mut chosen: *mut c_uchar = null_mut();
        let result =
            raw::SSL_select_next_proto(&mut chosen, out_len, ours.as_ptr(), ours.len() as std::ffi::c_uint, offered, offered_len);
        if result != raw::OPENSSL_NPN_NEGOTIATED {
            return raw::SSL_TLSEXT_ERR_NOACK;
        }
        *out = chosen;
        raw::SSL_TLSEXT_ERR_OK
    }
}

/// Does a name match one of a certificate, which may begin with `*`?
pub fn matches_wildcard(name: &[u8], pattern: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(pattern) {
        return true;
    }
    // One star, in the first label, of a pattern of at least three labels.
    let Some(star) = pattern.iter().position(|b| *b == b'*') else { return false };
    let (head, tail) = (&pattern[..star], &pattern[star + 1..]);
    if head.contains(&b'.') || tail.iter().filter(|b| **b == b'.').count() < 2 {
        return false;
    }
    if name.len() < head.len() + tail.len() {
        return false;
    }
    let middle = &name[head.len()..name.len() - tail.len()];
    name[..head.len()].eq_ignore_ascii_case(head)
        && name[name.len() - tail.len()..].eq_ignore_ascii_case(tail)
        && !middle.contains(&b'.')
}

impl Context {
    /// `versions`: the lowest and the highest of the protocol (0x301 for TLS 1.0 …).
    pub fn new(server: bool, versions: (c_int, c_int)) -> Option<Context> {
        // SAFETY: methods are static; the policy stays in its place as long as the context.
        unsafe {
            let handle = ContextHandle::own(raw::SSL_CTX_new(if server { raw::TLS_server_method() } else { raw::TLS_client_method() }))?;
            let mut policy = Box::new(Policy { allow_self_signed: false, depth: 9 });
            raw::SSL_CTX_set_ex_data(handle.ptr(), 0, (&raw mut *policy).cast());
            if raw::SSL_CTX_set_min_proto_version(handle.ptr(), versions.0) != 1
                || raw::SSL_CTX_set_max_proto_version(handle.ptr(), versions.1) != 1
            {
                return None;
            }
            Some(Context { handle, server, policy, names: Box::default(), protocols: Box::default(), password: Box::default() })
        }
    }
    pub fn set_options(&self, set: u64, clear: u64) {
        // SAFETY: the context lives.
        unsafe {
            raw::SSL_CTX_set_options(self.handle.ptr(), set);
            raw::SSL_CTX_clear_options(self.handle.ptr(), clear);
        }
    }
    pub fn set_ciphers(&self, list: &[u8]) -> bool {
        // SAFETY: the list ends with NUL.
        text_arg(list).is_some_and(|list| unsafe { raw::SSL_CTX_set_cipher_list(self.handle.ptr(), list.as_ptr()) } == 1)
    }
    pub fn set_curves(&self, list: &[u8]) -> bool {
        let Some(list) = text_arg(list) else { return false };
        // SAFETY: the list ends with NUL.
        unsafe {
            raw::SSL_CTX_ctrl(self.handle.ptr(), raw::SSL_CTRL_SET_GROUPS_LIST, 0, list.as_ptr().cast_mut().cast()) == 1
        }
    }
    pub fn set_security_level(&self, level: c_int) {
        // SAFETY: the context lives.
        unsafe { raw::SSL_CTX_set_security_level(self.handle.ptr(), level) };
    }
    /// The other side must show a certificate that is trusted.
    pub fn verify(&mut self, policy: Policy) {
        *self.policy = policy;
        // SAFETY: the callback is one of ours.
        unsafe { raw::SSL_CTX_set_verify(self.handle.ptr(), raw::SSL_VERIFY_PEER, Some(check_certificate)) };
    }
    pub fn do_not_verify(&self) {
        // SAFETY: no callback.
        unsafe { raw::SSL_CTX_set_verify(self.handle.ptr(), raw::SSL_VERIFY_NONE, None) };
    }
    /// Whom to trust.
    pub fn set_store(&self, store: Store) {
        // SAFETY: the context takes the store over.
        unsafe { raw::SSL_CTX_set_cert_store(self.handle.ptr(), store.ptr()) };
        std::mem::forget(store);
    }
    /// A server tells whose certificates it accepts.
    pub fn announce_authorities(&self, file: &Path) -> bool {
        let Some(file) = text_arg(file.as_os_str().as_bytes()) else { return false };
        // SAFETY: the context takes the list over.
        unsafe {
            let list = raw::SSL_load_client_CA_file(file.as_ptr());
            if list.is_null() {
                return false;
            }
            raw::SSL_CTX_set_client_CA_list(self.handle.ptr(), list);
        }
        true
    }
    pub fn set_password(&mut self, password: &[u8]) {
        *self.password = password.to_vec();
        // SAFETY: the password stays in its place as long as the context.
        unsafe {
            raw::SSL_CTX_set_default_passwd_cb_userdata(self.handle.ptr(), (&raw mut *self.password).cast());
            raw::SSL_CTX_set_default_passwd_cb(self.handle.ptr(), Some(give_password));
        }
    }
    pub fn use_chain(&self, file: &Path) -> bool {
        let Some(file) = text_arg(file.as_os_str().as_bytes()) else { return false };
        // SAFETY: the path ends with NUL.
        unsafe { raw::SSL_CTX_use_certificate_chain_file(self.handle.ptr(), file.as_ptr()) == 1 }
    }
    pub fn use_key(&self, file: &Path) -> bool {
        let Some(file) = text_arg(file.as_os_str().as_bytes()) else { return false };
        // SAFETY: the path ends with NUL.
        unsafe { raw::SSL_CTX_use_PrivateKey_file(self.handle.ptr(), file.as_ptr(), raw::SSL_FILETYPE_PEM) == 1 }
    }
    /// Do certificate and key belong together?
    pub fn key_matches(&self) -> bool {
        // SAFETY: the context lives.
        unsafe { raw::SSL_CTX_check_private_key(self.handle.ptr()) == 1 }
    }
    /// Numbers for the ephemeral Diffie-Hellman exchange, read from a file.
    pub fn use_dh(&self, file: &Path) -> bool {
        let Some(bio) = Bio::file(file, c"r") else { return false };
        // SAFETY: nulls: a new key, no password. The context takes the key over when it accepts it.
        unsafe {
            let numbers = raw::PEM_read_bio_Parameters(bio.ptr(), null_mut());
            if numbers.is_null() {
                return false;
            }
            if raw::SSL_CTX_set0_tmp_dh_pkey(self.handle.ptr(), numbers) == 1 {
                return true;
            }
            raw::EVP_PKEY_free(numbers);
        }
        false
    }
    pub fn automatic_dh(&self) {
        // SAFETY: passes a number alone.
        unsafe { raw::SSL_CTX_ctrl(self.handle.ptr(), raw::SSL_CTRL_SET_DH_AUTO, 1, null_mut()) };
    }
    /// The protocols of the application: those of the client, or the server's choice.
    pub fn set_protocols(&mut self, protocols: Vec<u8>) -> bool {
        *self.protocols = protocols;
        let Ok(len) = std::ffi::c_uint::try_from(self.protocols.len()) else { return false };
        // SAFETY: the list stays in its place as long as the context.
        unsafe {
            if self.server {
                raw::SSL_CTX_set_alpn_select_cb__fixed_rust(self.handle.ptr(), Some(choose_protocol), (&raw mut *self.protocols).cast());
                return true;
            }
            // Here success is 0.
            raw::SSL_CTX_set_alpn_protos(self.handle.ptr(), self.protocols.as_ptr(), len) == 0
        }
    }
    /// Certificates of the names that clients may ask for.
    pub fn set_names(&mut self, names: Vec<(Vec<u8>, Context)>) {
        *self.names = names;
        // SAFETY: the list stays in its place as long as the context; the library casts the callback back to its kind.
        unsafe {
            let callback: extern "C" fn(*mut raw::SSL, *mut c_int, *mut c_void) -> c_int = choose_name;
            let callback = std::mem::transmute::<extern "C" fn(*mut raw::SSL, *mut c_int, *mut c_void) -> c_int, extern "C" fn()>(callback);
            raw::SSL_CTX_callback_ctrl__fixed_rust(self.handle.ptr(), raw::SSL_CTRL_SET_TLSEXT_SERVERNAME_CB, Some(callback));
            raw::SSL_CTX_ctrl(
                self.handle.ptr(),
                raw::SSL_CTRL_SET_TLSEXT_SERVERNAME_ARG,
                0,
                (&raw mut *self.names).cast(),
            );
        }
    }
}

/// One connection.
pub struct Connection {
    ssl: Ssl,
    incoming: Bio,
    outgoing: Bio,
    context: Rc<Context>,
}

impl Connection {
    pub fn new(context: Rc<Context>, session_of: Option<&Connection>) -> Option<Connection> {
        // SAFETY: the connection takes one count of each buffer over, we keep another.
        unsafe {
            let ssl = Ssl::own(raw::SSL_new(context.handle.ptr()))?;
            let (incoming, outgoing) = (Bio::memory()?, Bio::memory()?);
            raw::BIO_up_ref(incoming.ptr());
            raw::BIO_up_ref(outgoing.ptr());
            raw::SSL_set_bio(ssl.ptr(), incoming.ptr(), outgoing.ptr());
            if context.server {
                raw::SSL_set_accept_state(ssl.ptr());
            } else {
                raw::SSL_set_connect_state(ssl.ptr());
            }
            if let Some(other) = session_of {
                let session = raw::SSL_get_session(other.ssl.ptr());
                if !session.is_null() {
                    raw::SSL_set_session(ssl.ptr(), session);
                }
            }
            Some(Connection { ssl, incoming, outgoing, context })
        }
    }
    pub fn is_server(&self) -> bool {
        self.context.server
    }
    /// The name that the client asks for.
    pub fn set_server_name(&self, name: &[u8]) {
        let Some(name) = text_arg(name) else { return };
        // SAFETY: the library copies the name.
        unsafe {
            raw::SSL_ctrl(
                self.ssl.ptr(),
                raw::SSL_CTRL_SET_TLSEXT_HOSTNAME,
                c_long::from(raw::TLSEXT_NAMETYPE_host_name),
                name.as_ptr().cast_mut().cast(),
            );
        }
    }
    /// Bytes that came from the other side.
    pub fn put(&self, bytes: &[u8]) -> bool {
        self.incoming.put(bytes)
    }
    /// Bytes that are to be sent.
    pub fn take_output(&self) -> Vec<u8> {
        if self.outgoing.pending() == 0 { Vec::new() } else { self.outgoing.take() }
    }
    fn step(&self, result: c_int) -> Step<usize> {
        if let Some(n) = usize::try_from(result).ok().filter(|n| *n > 0) {
            return Step::Done(n);
        }
        // SAFETY: asked directly after the operation, on the same thread.
        match unsafe { raw::SSL_get_error(self.ssl.ptr(), result) } {
            raw::SSL_ERROR_WANT_READ | raw::SSL_ERROR_WANT_WRITE => Step::NeedsInput,
            raw::SSL_ERROR_ZERO_RETURN => Step::Closed,
            other => Step::Failed(other),
        }
    }
    pub fn handshake(&self) -> Step<usize> {
        // SAFETY: the connection lives. Old errors would be taken for ours.
        let result = unsafe {
            raw::ERR_clear_error();
            raw::SSL_do_handshake(self.ssl.ptr())
        };
        self.step(result)
    }
    pub fn read(&self, buffer: &mut [u8]) -> Step<usize> {
        let len = c_int::try_from(buffer.len()).unwrap_or(c_int::MAX);
        // SAFETY: the buffer has `len` bytes.
        let result = unsafe {
            raw::ERR_clear_error();
            raw::SSL_read(self.ssl.ptr(), buffer.as_mut_ptr().cast(), len)
        };
        self.step(result)
    }
    pub fn write(&self, bytes: &[u8]) -> Step<usize> {
        if bytes.is_empty() {
            return Step::Done(0);
        }
        let len = c_int::try_from(bytes.len()).unwrap_or(c_int::MAX);
        // SAFETY: `len` bytes are there.
        let result = unsafe {
            raw::ERR_clear_error();
            raw::SSL_write(self.ssl.ptr(), bytes.as_ptr().cast(), len)
        };
        self.step(result)
    }
    /// Is there something to read? Nothing is taken.
    pub fn peek(&self) -> Step<usize> {
        let mut one = [0u8; 1];
        // SAFETY: the buffer has one byte.
        let result = unsafe {
            raw::ERR_clear_error();
            raw::SSL_peek(self.ssl.ptr(), one.as_mut_ptr().cast(), 1)
        };
        self.step(result)
    }
    /// Nothing more will come from the other side.
    pub fn put_end(&self) {
        // SAFETY: passes a number alone.
        unsafe { raw::BIO_ctrl(self.incoming.ptr(), raw::BIO_C_SET_BUF_MEM_EOF_RETURN, 0, null_mut()) };
    }
    /// Says good-bye; the output tells the other side.
    pub fn shutdown(&self) {
        // SAFETY: the connection lives.
        unsafe {
            raw::ERR_clear_error();
            raw::SSL_shutdown(self.ssl.ptr());
            raw::ERR_clear_error();
        }
    }
    /// Decrypted bytes that were not read yet.
    pub fn pending(&self) -> usize {
        // SAFETY: the connection lives.
        usize::try_from(unsafe { raw::SSL_pending(self.ssl.ptr()) }).unwrap_or(0)
    }
    pub fn peer(&self) -> Option<Certificate> {
        // SAFETY: the certificate is counted for us.
        Certificate::own(unsafe { raw::SSL_get1_peer_certificate(self.ssl.ptr()) })
    }
    pub fn peer_chain(&self) -> Vec<Certificate> {
        // SAFETY: the list belongs to the connection.
        unsafe { super::x509::Chain::copy(raw::SSL_get_peer_cert_chain(self.ssl.ptr())) }
    }
    /// 0: the other side's certificate is trusted; else why not, with the library's words.
    pub fn verified(&self) -> (i64, Vec<u8>) {
        // SAFETY: the text is static.
        unsafe {
            let result = raw::SSL_get_verify_result(self.ssl.ptr());
            (result as i64, borrowed_text(raw::X509_verify_cert_error_string(result)).unwrap_or_default())
        }
    }
    /// Name of the protocol, as PHP shows it.
    pub fn protocol(&self) -> &'static str {
        // SAFETY: the connection lives.
        match unsafe { raw::SSL_version(self.ssl.ptr()) } {
            0x304 => "TLSv1.3",
            0x303 => "TLSv1.2",
            0x302 => "TLSv1.1",
            0x301 => "TLSv1",
            _ => "UNKNOWN",
        }
    }
    /// Name, bits and protocol of the cipher.
    pub fn cipher(&self) -> Option<(Vec<u8>, i64, Vec<u8>)> {
        // SAFETY: names are static.
        unsafe {
            let cipher = raw::SSL_get_current_cipher(self.ssl.ptr());
            if cipher.is_null() {
                return None;
            }
            let name = borrowed_text(raw::SSL_CIPHER_get_name(cipher))?;
            let bits = i64::from(raw::SSL_CIPHER_get_bits(cipher, null_mut()));
            Some((name, bits, borrowed_text(raw::SSL_CIPHER_get_version(cipher))?))
        }
    }
    /// The protocol of the application that both sides chose.
    pub fn application_protocol(&self) -> Option<Vec<u8>> {
        let (mut name, mut len) = (null(), 0);
        // SAFETY: the name belongs to the connection, and is as long as is said.
        unsafe {
            raw::SSL_get0_alpn_selected(self.ssl.ptr(), &mut name, &mut len);
            (!name.is_null() && len > 0).then(|| std::slice::from_raw_parts(name, len as usize).to_vec())
        }
    }
}
