//! Connecting and signing in, and signing in anew as somebody else.

use crate::auth;
use crate::charset;
use crate::connection::{Connection, State};
use crate::error::{self, code};
use crate::options::{Options, SignInAs};
use crate::packet::{Greeting, SignIn, capability, command};
use crate::queue::{Place, Server};
use crate::transport::{Target, Transport};
use crate::wire::{put_number, put_text, text_size};
use jumbo_abi::{Cx, Res};
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

/// The longest content that the client takes, as it says to the server.
const MAX_CONTENT: u32 = 0xc000_0000;
/// MariaDB's versions begin with this, for old clients of replication.
const MARIADB_PREFIX: &[u8] = b"5.5.5-";

/// No file with a key is longer.
const KEY_MAX: u64 = 64 << 10;

/// The methods ask for a key with this.
const KEY_OF_SHA256: u8 = 1;
const KEY_OF_CACHING_SHA2: u8 = 2;
/// caching_sha2_password's words.
const FAST_AUTH_FINE: u8 = 3;
const FULL_AUTH: u8 = 4;

/// Nobody waits longer for a connection, whatever was asked for.
const CONNECT_TIME_LIMIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// How long connecting may take.
pub(crate) fn connect_time_max(cx: &Cx, options: &Options) -> Option<Duration> {
    let limit = options.connect_timeout.or_else(|| {
        let seconds = cx.ini.int("default_socket_timeout");
        u64::try_from(seconds).ok().map(Duration::from_secs)
    });
    // Programs say PHP_INT_MAX for ever; no clock goes so far.
    limit.map(|limit| limit.min(CONNECT_TIME_LIMIT))
}

impl Connection {
    /// [`connect`](Self::connect) without waiting for a place at the server.
    pub(crate) fn connect_once(&mut self, cx: &mut Cx, target: &Target, server: &Arc<Server>, who: SignInAs) -> Res<bool> {
        self.error.clear();
        self.sign_in_as = who;
        let timeout = connect_time_max(cx, &self.options);
        match Transport::connect(cx, target, timeout)? {
            Ok(transport) => self.transport = Some(transport),
            Err(text) => {
                self.statistics.one("connect_failure");
                self.own_error(code::CONNECTION, text);
                return Ok(false);
            }
        }
        let limit_s = self.options.read_timeout_s.unwrap_or_else(|| u64::try_from(cx.ini.int("mysqlnd.net_read_timeout")).unwrap_or(0));
        if let Some(transport) = &mut self.transport {
            // Nobody waits longer for a greeting than for the connection.
            transport.read_timeout = timeout;
        }
        self.host_info = match target {
            Target::Tcp { host, .. } => [host.as_slice(), b" via TCP/IP"].concat(),
            Target::Local { .. } => b"Localhost via UNIX socket".to_vec(),
        };
        let fine = self.greet(cx, target)?;
        if !fine {
            self.statistics.one("connect_failure");
            if self.error.code == 0 {
                let text = [b"Unknown error while trying to connect via ".as_slice(), &target.address()].concat();
                self.error.clear();
                self.own_error(code::CONNECTION, text);
            }
            self.transport = None;
            self.state = State::New;
            return Ok(false);
        }
        if let Some(transport) = &mut self.transport {
            transport.read_timeout = (limit_s > 0).then(|| Duration::from_secs(limit_s));
            transport.place = Some(Place::at(server.clone()));
        }
        self.state = State::Ready;
        self.statistics.one("connect_success");
        self.statistics.one("active_connections");
        self.run_init_commands(cx)
    }

    /// Runs the commands that the options name.
    pub fn run_init_commands(&mut self, cx: &mut Cx) -> Res<bool> {
        for sql in self.options.init_commands.clone() {
            let mut fine = self.query(cx, &sql)?;
            while fine && self.state == State::Rows {
                self.skip_rows(cx)?;
            }
            while fine && self.state == State::MoreResults {
                fine = self.next_result(cx)?;
                if self.state == State::Rows {
                    self.skip_rows(cx)?;
                }
            }
            self.statistics.one(if fine { "init_command_executed_count" } else { "init_command_failed_count" });
            if !fine {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn greet(&mut self, cx: &mut Cx, target: &Target) -> Res<bool> {
        if !self.receive(cx)? {
            return Ok(false);
        }
        let greeting = match Greeting::decode(&self.packet) {
            Ok(Ok(greeting)) => greeting,
            Ok(Err(refused)) => {
                self.server_error(refused);
                return Ok(false);
            }
            Err(_) => {
                self.warn("Error while reading greeting packet");
                self.malformed();
                return Ok(false);
            }
        };
        if greeting.protocol < 10 || greeting.capabilities & capability::PROTOCOL_41 == 0 {
            self.own_error(code::NOT_IMPLEMENTED, "Connecting to 3.22, 3.23 & 4.0 servers is not supported");
            return Ok(false);
        }
        self.server_version = greeting.version.strip_prefix(MARIADB_PREFIX).unwrap_or(&greeting.version).to_vec();
        self.protocol = greeting.protocol;
        self.thread = greeting.thread;
        self.scramble = greeting.scramble;
        self.server_capabilities = greeting.capabilities;
        self.outcome.status = greeting.status;
        if self.sign_in_as.flags & capability::SSL != 0 || self.options.wants_tls && greeting.capabilities & capability::SSL != 0 {
            // There is no TLS here yet: going on in clear would betray who asked for it.
            self.own_error(code::SSL, "SSL connection error: this build cannot encrypt connections to the database");
            return Ok(false);
        }
        let charset = self.options.charset.or_else(|| charset::by_number(u16::from(greeting.charset)));
        let Some(charset) = charset else {
            self.own_error(code::CANNOT_FIND_CHARSET, "Server sent charset unknown to the client. Please, report to the developers");
            return Ok(false);
        };
        self.charset = charset;
        let number = match self.options.charset {
            Some(charset) => charset.number,
            None => u16::from(greeting.charset),
        };
        self.auth_method = self.options.auth_method.clone().filter(|m| auth::known(m)).unwrap_or(greeting.plugin);
        if !auth::known(&self.auth_method) {
            // The server says then which one it wants.
            self.auth_method = auth::NATIVE.to_vec();
        }
        let answer = self.handshake(target, number);
        if !self.send(cx, &answer)? {
            return Ok(false);
        }
        self.sign_in(cx)
    }

    fn handshake(&mut self, target: &Target, charset: u16) -> Vec<u8> {
        let who = &self.sign_in_as;
        let mut flags = capability::LONG_PASSWORD
            | capability::LONG_FLAG
            | capability::LOCAL_FILES
            | capability::PROTOCOL_41
            | capability::TRANSACTIONS
            | capability::SECURE_CONNECTION
            | capability::MULTI_RESULTS
            | capability::PLUGIN_AUTH
            | capability::CONNECT_ATTRS;
        let allowed = capability::FOUND_ROWS | capability::IGNORE_SPACE | capability::INTERACTIVE | capability::NO_SCHEMA | capability::MULTI_STATEMENTS;
        flags |= who.flags & allowed;
        if self.options.can_handle_expired_passwords || who.flags & capability::CAN_HANDLE_EXPIRED_PASSWORDS != 0 {
            flags |= capability::CAN_HANDLE_EXPIRED_PASSWORDS;
        }
        if !who.database.is_empty() {
            flags |= capability::CONNECT_WITH_DB;
        }
        // What the server does not know must not be in the packet.
        let optional = capability::PLUGIN_AUTH | capability::CONNECT_ATTRS | capability::CAN_HANDLE_EXPIRED_PASSWORDS;
        flags &= self.server_capabilities | !optional;
        self.capabilities = flags;
        self.multi_statements = flags & capability::MULTI_STATEMENTS != 0;
        let mut out = Vec::with_capacity(128);
        out.extend_from_slice(&flags.to_le_bytes());
        out.extend_from_slice(&MAX_CONTENT.to_le_bytes());
        out.push(charset as u8);
        out.extend_from_slice(&[0; 23]);
        put_nul(&mut out, &who.user);
        let data = self.auth_data();
        // One byte of length: no method's answer is longer here.
        out.push(data.len().min(255) as u8);
        out.extend_from_slice(data.get(..data.len().min(255)).unwrap_or_default());
        if flags & capability::CONNECT_WITH_DB != 0 {
            put_nul(&mut out, &who.database);
        }
        if flags & capability::PLUGIN_AUTH != 0 {
            put_nul(&mut out, &self.auth_method);
        }
        if flags & capability::CONNECT_ATTRS != 0 {
            let mut attributes: Vec<(&[u8], &[u8])> = vec![(b"_client_name", b"mysqlnd")];
            let host: &[u8] = match target {
                Target::Tcp { host, .. } => host,
                Target::Local { .. } => b"localhost",
            };
            attributes.push((b"_server_host", host));
            attributes.extend(self.options.attributes.iter().map(|(k, v)| (k.as_slice(), v.as_slice())));
            put_number(&mut out, attributes.iter().map(|(k, v)| text_size(k) + text_size(v)).sum::<usize>() as u64);
            for (name, value) in attributes {
                put_text(&mut out, name);
                put_text(&mut out, value);
            }
        }
        out
    }

    /// What the method says first.
    fn auth_data(&self) -> Vec<u8> {
        let password = &self.sign_in_as.password;
        let is_private = self.transport.as_ref().is_some_and(|t| t.is_local);
        match self.auth_method.as_slice() {
            auth::CACHING_SHA2 => auth::caching_sha2(password, &self.scramble),
            auth::SHA256 if password.is_empty() => vec![0],
            auth::SHA256 if is_private => [password, b"\0".as_slice()].concat(),
            auth::SHA256 => vec![KEY_OF_SHA256],
            auth::CLEAR if is_private => [password, b"\0".as_slice()].concat(),
            auth::CLEAR => Vec::new(),
            _ => auth::native(password, &self.scramble),
        }
    }

    /// Talks with the server until it says yes or no.
    fn sign_in(&mut self, cx: &mut Cx) -> Res<bool> {
        let mut switched = false;
        loop {
            if !self.receive(cx)? {
                return Ok(false);
            }
            match SignIn::decode(&self.packet) {
                Ok(SignIn::Done(done)) => {
                    self.take_done(done);
                    return Ok(true);
                }
                Ok(SignIn::Error(mut refused)) => {
                    if self.state == State::New || self.state == State::Gone {
                        // Of a connection that was never made PHP does not tell the server's state.
                        refused.state = crate::packet::UNKNOWN_STATE;
                    }
                    self.server_error(refused);
                    return Ok(false);
                }
                Ok(SignIn::Switch(Some((method, data)))) if !switched => {
                    switched = true;
                    if !auth::known(&method) {
                        let name = String::from_utf8_lossy(&method).into_owned();
                        self.warn(format!("The server requested authentication method unknown to the client [{name}]"));
                        self.own_error(code::UNKNOWN_METHOD, "The server requested authentication method unknown to the client");
                        return Ok(false);
                    }
                    self.auth_method = method;
                    self.scramble = data;
                    // The scramble ends with a NUL.
                    if self.scramble.last() == Some(&0) {
                        self.scramble.pop();
                    }
                    if self.auth_method == auth::CLEAR && !self.transport.as_ref().is_some_and(|t| t.is_local) {
                        self.own_error(code::UNKNOWN_METHOD, "The server asks for the password in clear over a network: refused");
                        return Ok(false);
                    }
                    let answer = self.auth_data();
                    if !self.send(cx, &answer)? {
                        return Ok(false);
                    }
                }
                Ok(SignIn::Switch(_)) => {
                    self.own_error(2000, "mysqlnd cannot connect to MySQL 4.1+ using the old insecure authentication. Please use an administration tool to reset your password with the command SET PASSWORD = PASSWORD('your_existing_password'). This will store a new, and more secure, hash value in mysql.user. If this user is used in other scripts executed by PHP 5.2 or earlier you might need to remove the old-passwords flag from your my.cnf file");
                    return Ok(false);
                }
                Ok(SignIn::More(data)) => {
                    if !self.more(cx, &data)? {
                        return Ok(false);
                    }
                }
                Err(_) => {
                    // A message that is longer than its packet is what servers with bad intentions send.
                    if self.packet.first() == Some(&0) {
                        self.warn("OK packet message length is past the packet size");
                    }
                    self.malformed();
                    return Ok(false);
                }
            }
        }
    }

    /// The method's own words from the server.
    fn more(&mut self, cx: &mut Cx, data: &[u8]) -> Res<bool> {
        let is_private = self.transport.as_ref().is_some_and(|t| t.is_local);
        match (self.auth_method.as_slice(), data) {
            (auth::CACHING_SHA2, [FAST_AUTH_FINE]) => Ok(true),
            (auth::CACHING_SHA2, [FULL_AUTH]) if is_private => {
                let clear = [self.sign_in_as.password.as_slice(), b"\0"].concat();
                self.send(cx, &clear)
            }
            (auth::CACHING_SHA2, [FULL_AUTH]) => match self.own_key(cx)? {
                Some(key) => self.send_encrypted(cx, &key),
                None => self.send(cx, &[KEY_OF_CACHING_SHA2]),
            },
            (auth::CACHING_SHA2 | auth::SHA256, key) => {
                let key = key.to_vec();
                self.send_encrypted(cx, &key)
            }
            _ => {
                self.malformed();
                Ok(false)
            }
        }
    }

    /// The key that the script or the configuration names.
    fn own_key(&mut self, cx: &mut Cx) -> Res<Option<Vec<u8>>> {
        let path = self.options.server_public_key.clone().unwrap_or_else(|| cx.ini.str("mysqlnd.sha256_server_public_key").to_vec());
        if path.is_empty() {
            return Ok(None);
        }
        let mut key = Vec::new();
        let read = std::fs::File::open(jumbo_abi::stream::path_buf(cx, &path)).and_then(|file| file.take(KEY_MAX).read_to_end(&mut key));
        Ok(read.ok().map(|_| key))
    }

    fn send_encrypted(&mut self, cx: &mut Cx, key: &[u8]) -> Res<bool> {
        match auth::encrypted(&self.sign_in_as.password, &self.scramble, key) {
            Some(secret) => self.send(cx, &secret),
            None => {
                self.own_error(code::SERVER_GONE, error::SERVER_GONE);
                Ok(false)
            }
        }
    }

    /// Signs in as somebody else on the same connection.
    pub fn change_user(&mut self, cx: &mut Cx, who: SignInAs) -> Res<bool> {
        if !self.begin(cx)? {
            return Ok(false);
        }
        let before = std::mem::replace(&mut self.sign_in_as, who);
        let mut out = Vec::new();
        put_nul(&mut out, &self.sign_in_as.user);
        let data = self.auth_data();
        out.push(data.len().min(255) as u8);
        out.extend_from_slice(data.get(..data.len().min(255)).unwrap_or_default());
        put_nul(&mut out, &self.sign_in_as.database);
        out.extend_from_slice(&self.charset.number.to_le_bytes());
        if self.server_capabilities & capability::PLUGIN_AUTH != 0 {
            put_nul(&mut out, &self.auth_method);
        }
        if self.capabilities & capability::CONNECT_ATTRS != 0 {
            put_number(&mut out, 0);
        }
        if !self.send_command(cx, command::CHANGE_USER, &out)? {
            return Ok(false);
        }
        let fine = self.sign_in(cx)?;
        if fine {
            self.outcome.affected = 0;
            self.multi_statements = false;
        } else {
            self.sign_in_as = before;
        }
        Ok(fine)
    }

    /// Makes a connection that somebody else has used like a new one: the server forgets variables, locks, temporary tables.
    pub fn reset(&mut self, cx: &mut Cx) -> Res<bool> {
        let who = self.sign_in_as.clone();
        self.change_user(cx, who)
    }
}

fn put_nul(to: &mut Vec<u8>, text: &[u8]) {
    // A NUL would end it for the server.
    to.extend(text.iter().copied().take_while(|b| *b != 0));
    to.push(0);
}
