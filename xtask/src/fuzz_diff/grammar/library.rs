//! Builtins called with awkward arguments, from the signatures that reflection tells.
//!
//! What both engines have, and only functions whose result depends on nothing but the arguments: [`DENIED`] names the others.

use super::super::Failure;
use super::super::run::Runner;
use super::super::tree::{Node, Sort, commas, element, expr, stmt};
use super::{Generator, Type};
use serde_json::Value;

#[derive(Default)]
pub struct Library {
    functions: Vec<Builtin>,
}

pub struct Builtin {
    name: String,
    parameters: Vec<Parameter>,
}

struct Parameter {
    name: String,
    ty: String,
    by_reference: bool,
    optional: bool,
    variadic: bool,
}

/// Extensions whose functions are pure, but for [`DENIED`].
const EXTENSIONS: &[&str] = &["standard", "ctype", "mbstring", "json", "pcre", "Core", "SPL", "hash", "bcmath", "calendar", "date"];

/// Beginnings of names: they see the machine, time, chance, files, the process or the engine's own state.
const DENIED: &[&str] = &[
    "array_rand", "array_walk", "assert", "base_convert_", "basename_", "call_user_", "chdir", "chgrp", "chmod", "chown", "chroot", "class_", "clearstatcache",
    "closedir", "closelog", "connection_", "copy", "crypt", "date", "debug_", "define", "dir", "disk", "display_", "dl", "dns_", "error_",
    "escapeshell", "exec", "exit", "die", "fclose", "fdatasync", "feof", "fflush", "fget", "file", "flock", "flush", "fnmatch", "fopen", "forward_", "fpassthru", "fput",
    "fread", "fscanf", "fseek", "fsockopen", "fstat", "fsync", "ftell", "ftok", "ftruncate", "func_", "fwrite", "gc_", "get_", "getc", "getd", "gete", "geth",
    "getimagesize", "getl", "getm", "geto", "getp", "getr", "gets", "gett", "glob", "gmdate", "gmmktime", "gmstrftime", "hash_algos", "hash_file", "hash_hmac_algos", "hash_hmac_file", "hash_update", "header", "highlight_", "hrtime",
    "http_response", "http_clear", "http_get", "idate", "ignore_", "image", "inet_", "ini_", "is_callable", "is_dir", "is_exec", "is_file", "is_link", "is_read", "is_upload", "is_writ", "iterator_apply",
    "lcg_", "lchgrp", "lchown", "link", "linkinfo", "localeconv", "localtime", "lstat", "mail", "mb_send", "mb_http", "mb_get_info", "mb_internal", "mb_language", "mb_detect_order", "mb_substitute", "mb_regex", "mb_ereg", "mb_output", "md5_file",
    "memory_", "microtime", "mkdir", "mktime", "move_", "mt_", "net_", "nl_langinfo", "ob_", "opcache", "opendir", "openlog", "output_", "parse_ini_file", "passthru", "password_hash",
    "pclose", "pfsockopen", "php", "popen", "proc_", "putenv", "quoted_printable_", "rand", "random_", "readdir", "readfile", "readlink", "realpath", "register_", "rename", "request_",
    "restore_", "rewind", "rewinddir", "rmdir", "scandir", "set_", "setc", "setl", "setr", "sha1_file", "shell_", "show_", "shuffle", "sleep", "socket_", "spl_autoload", "spl_object_hash", "srand",
    "stat", "stream_", "str_shuffle", "strftime", "gmstrftime", "strptime", "symlink", "sys", "system", "tempnam", "time", "timezone", "tmpfile", "touch", "trigger_", "umask", "uniqid", "unlink",
    "unserialize_", "user_error", "usleep", "var_dump_", "vfprintf", "zend_", "jdtounix", "unixtojd", "easter", "cal_", "fprintf", "extract", "get_mangled", "iptc", "config_get", "strtotime", "strcoll",
    "pcntl", "posix", "hash_init", "hash_final", "hash_copy", "cli_", "dirname_", "headers_", "utf8_", "metaphone_", "sodium", "openssl", "spl_classes", "mhash", "array_multisort_", "date_sun", "lchown", "net_get", "fdiv_", "parse_str_",
    "str_repeat", "str_pad", "range", "array_fill", "array_pad", "mb_str_pad", "bcpow", "bcfact", "hash_pbkdf2", "pack_", "password_",
];

/// Asks an engine for its functions, as JSON.
const REFLECT: &str = r#"<?php
$all = [];
foreach (get_defined_functions()['internal'] as $name) {
    $f = new ReflectionFunction($name);
    $ps = [];
    foreach ($f->getParameters() as $p) {
        $ps[] = ['name' => $p->getName(), 'type' => (string) $p->getType(), 'ref' => $p->isPassedByReference(),
            'optional' => $p->isOptional(), 'variadic' => $p->isVariadic()];
    }
    $all[] = ['name' => $name, 'extension' => $f->getExtensionName(), 'parameters' => $ps];
}
echo json_encode($all);
"#;

impl Library {
    /// What both engines have.
    pub fn of_both(runner: &Runner) -> Result<Library, Failure> {
        let ask = |stock| -> Result<Vec<Value>, Failure> {
            let output = runner.output(stock, REFLECT)?;
            serde_json::from_slice(&output).map_err(|e| {
                let start = String::from_utf8_lossy(&output[..output.len().min(300)]).into_owned();
                Failure::new(format!("the list of functions cannot be read: {e}: {start}"))
            })
        };
        let (stock, jumbo) = (ask(true)?, ask(false)?);
        let name_of = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
        let has: std::collections::HashSet<String> = jumbo.iter().map(name_of).collect();
        let functions = stock
            .iter()
            .filter(|f| EXTENSIONS.contains(&f["extension"].as_str().unwrap_or_default()))
            .filter(|f| has.contains(&name_of(f)) && !DENIED.iter().any(|denied| name_of(f).starts_with(denied)))
            .map(|f| Builtin {
                name: name_of(f),
                parameters: f["parameters"].as_array().into_iter().flatten().map(parameter).collect(),
            })
            .collect();
        Ok(Library { functions })
    }
}

fn parameter(value: &Value) -> Parameter {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let flag = |key: &str| value[key].as_bool().unwrap_or_default();
    Parameter { name: text("name"), ty: text("type"), by_reference: flag("ref"), optional: flag("optional"), variadic: flag("variadic") }
}

impl Generator<'_> {
    /// One call, shown with what it leaves in arguments by reference.
    pub fn library_statement(&mut self) -> Node {
        let Some(n) = Some(self.library.functions.len()).filter(|&n| n > 0).map(|n| self.rng.below(n)) else {
            return Node::text(Sort::Statement, ";");
        };
        let library = self.library;
        let builtin = &library.functions[n];
        let mut arguments = Vec::new();
        let mut shown = Vec::new();
        let named_from = if self.rng.percent(6) { self.rng.below(3) } else { usize::MAX };
        for (n, parameter) in builtin.parameters.iter().enumerate() {
            if parameter.optional && self.rng.percent(35) {
                if n >= named_from && !parameter.variadic {
                    continue;
                }
                break;
            }
            let value = if parameter.by_reference && self.rng.percent(95) {
                let name = self.target();
                self.holds(name, Type::Any);
                shown.push(Node::text(Sort::Expression, format!("${name}")));
                Node::text(Sort::Expression, format!("${name}"))
            } else {
                self.argument(&parameter.ty, &parameter.name)
            };
            if n >= named_from && !parameter.variadic {
                arguments.push(element!("§: §", parameter.name.as_str(), value));
            } else {
                arguments.push(element!("§", value));
            }
            if parameter.variadic && named_from == usize::MAX {
                for _ in 0..self.rng.below(3) {
                    let value = if parameter.by_reference { self.variable(Type::Any) } else { self.argument(&parameter.ty, &parameter.name) };
                    arguments.push(element!("§", value));
                }
            }
        }
        match self.rng.below(60) {
            0 => drop(arguments.pop()),
            1 if named_from == usize::MAX => arguments.push(element!("null")),
            _ => {}
        }
        let call = expr!("\\§(§)", builtin.name.as_str(), commas(arguments, 0));
        shown.insert(0, call);
        stmt!(
            "try { var_dump(§); } catch (\\Throwable $t) { echo $t::class, ': ', $t->getMessage(), \"\\n\"; }",
            commas(shown, 1)
        )
    }

    /// A value for a parameter of this type, as reflection writes it; wrong now and then.
    fn argument(&mut self, ty: &str, name: &str) -> Node {
        if self.rng.percent(8) {
            return self.expr(Type::Any, 1);
        }
        if let Some(node) = self.argument_by_name(name) {
            return node;
        }
        let mut fits = Vec::new();
        for part in ty.trim_start_matches('?').split('|') {
            fits.push(match part {
                "int" => Type::Int,
                "float" => Type::Float,
                "string" => Type::Str,
                "bool" | "false" | "true" => Type::Bool,
                "array" => Type::Arr,
                "iterable" | "Traversable" => Type::Iter,
                "callable" | "Closure" => Type::Callable,
                "object" => Type::Obj,
                "null" => Type::Null,
                _ => Type::Any,
            });
        }
        let ty = if ty.starts_with('?') && self.rng.percent(20) { Type::Null } else { self.rng.one(&fits) };
        // Lengths and counts that are far too large cost time and memory, and no more.
        if ty == Type::Int && matches!(name, "length" | "times" | "count" | "step" | "num" | "depth" | "limit" | "size") && self.rng.percent(70) {
            return self.small_int();
        }
        match ty {
            Type::Callable => self.literal(Type::Callable, 0),
            _ if self.rng.percent(75) => self.literal(ty, 1),
            ty => self.expr(ty, 2),
        }
    }

    fn small_int(&mut self) -> Node {
        let text = self.rng.one(&["0", "1", "2", "3", "-1", "-2", "7"]);
        Node::text(Sort::Expression, text)
    }

    /// Parameters that want something particular.
    fn argument_by_name(&mut self, name: &str) -> Option<Node> {
        let texts: &[&str] = match name {
            "pattern" => &["'/a+/'", "'/(b)(c)?/'", "'/^\\\\d+$/'", "'/[a-c]*/i'", "'~(?<n>.)~u'", "'/x'", "'/,|l/'", "''"],
            "format" => &["'%d %s'", "'%05d'", "'%.3f'", "'%x%X'", "'%\\'*10s|'", "'%2$s %1$s'", "'%-8s|'", "'%c'", "'%e'", "'%z'", "'%'", "'%b'", "'%G'", "'C2n'", "'a3N'", "'Y-m-d'", "'%10.4F'", "'%+d'", "'%u'"],
            "encoding" | "to_encoding" => &["'UTF-8'", "'ISO-8859-1'", "'ASCII'", "'UTF-16LE'", "'bad'", "null"],
            "from_encoding" => &["'UTF-8'", "'ISO-8859-1'", "'UTF-16BE'", "['ASCII', 'UTF-8']"],
            "algo" => &["'md5'", "'sha1'", "'sha256'", "'crc32b'", "'xxh32'", "'adler32'", "'fnv1a64'", "'nope'"],
            "flags" => &["0", "1", "2", "3", "4", "8", "16", "JSON_PRETTY_PRINT", "ENT_QUOTES", "SORT_STRING", "256", "128"],
            "mode" => &["0", "1", "2", "3", "4"],
            "scale" => &["0", "1", "5", "null", "-1"],
            "separator" | "delimiter" => &["','", "' '", "'-'", "''", "'ab'"],
            "json" => &["'{\"a\":[1,2.5,null]}'", "'[1,'", "'\"x\"'", "'1e2'", "'{\"0\":true}'", "''", "'[[[1]]]'"],
            "data" => &["'i:5;'", "'a:1:{i:0;s:1:\"x\";}'", "'b:1;'", "'O:8:\"stdClass\":1:{s:1:\"a\";d:0.5;}'", "'x'", "'abc'", "'s:5:\"ab\";'"],
            _ => return None,
        };
        if self.rng.percent(20) {
            return None;
        }
        Some(Node::text(Sort::Expression, self.rng.one(texts)))
    }
}
