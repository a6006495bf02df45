//! FrankenPHP in its classic mode, when its binary is on PATH. It brings a PHP of its own, whose version is saved with the results.

use super::{Server, Start, binary_mount, on_path, told, version};
use crate::place::Place;
use serde_json::json;

/// The extensions that are built in.
pub fn extensions(place: &Place) -> Option<Vec<String>> {
    let (mounts, program) = binary_mount(place, &on_path("frankenphp")?, "frankenphp");
    let text = told(place, &mounts, &program, &["php-cli", "-r", "echo implode(' ', get_loaded_extensions());"]).ok()?;
    let found: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    // Else it was a message of an older version, which has no -r.
    found.iter().any(|name| name == "core").then_some(found)
}

pub fn start(start: &Start, server: &mut Server) -> Result<(), String> {
    let binary = on_path("frankenphp").ok_or("no frankenphp on PATH")?;
    let (mounts, program) = binary_mount(start.place, &binary, "frankenphp");
    server.settings["versions"]["frankenphp"] = json!(version(start.place, &mounts, &program, "version"));
    // Its own default is two threads for each core.
    let threads = start.options.workers.unwrap_or(start.options.core_count() * 2);
    server.settings["threads"] = json!(threads);
    let (port, root) = (start.port, start.site.document_root.display());
    let directives: String = start.common_ini().lines().map(|line| format!("    php_ini {}\n", line.replacen(" = ", " ", 1))).collect();
    let front_controller = match &start.site.front_controller {
        Some(path) => format!("  try_files {{path}} /{}\n", path.trim_start_matches('/')),
        None => String::new(),
    };
    let text = format!(
        "{{\n  admin off\n  auto_https off\n  frankenphp {{\n    num_threads {threads}\n{directives}  }}\n}}\nhttp://:{port} {{\n  bind 127.0.0.1\n  root * {root}\n{front_controller}  php_server\n}}\n"
    );
    let configuration = start.write(server, "Caddyfile", &text)?;
    let arguments = ["run", "--adapter", "caddyfile", "--config"].map(str::to_owned).into_iter().chain([configuration.display().to_string()]);
    start.spawn(server, "frankenphp", &mounts, &program, &arguments.collect::<Vec<_>>())
}
