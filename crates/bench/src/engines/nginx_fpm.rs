//! php-fpm behind nginx: what most PHP sites run on, and the reference for bodies. And nginx alone, for static files.
//!
//! The settings are those of a careful deployment: static pool, opcache with time stamps looked at every two seconds, a long backlog on a unix
//! socket, no access logs, files sent with sendfile. nginx opens a connection to php-fpm for each request, as its documentation's examples do:
//! kept connections (`fpm-keep`) are quicker for tiny pages, but each holds a worker, and with more clients than workers some starve.

use super::{HOST, Server, Start, machine_cores, told, version};
use crate::extensions::parse_modules;
use crate::place::Place;
use serde_json::json;

/// Children for each core: enough to keep the cores busy when a page waits for the disk or a database now and then.
const CHILDREN_PER_CORE: usize = 4;

const OPCACHE: &str = "\
zend_extension = opcache
opcache.enable = 1
opcache.memory_consumption = 256
opcache.interned_strings_buffer = 16
opcache.max_accelerated_files = 20000
opcache.validate_timestamps = 1
opcache.revalidate_freq = 2
realpath_cache_size = 4096K
";

/// Where Debian's PHP keeps extensions, in a folder named after its binary interface.
const EXTENSIONS: &str = "/usr/lib/php";

/// The extensions that php-fpm has without a configuration.
pub fn built_in(place: &Place) -> Option<Vec<String>> {
    let fpm = place.program("php-fpm8.4")?.display().to_string();
    told(place, &[], &fpm, &["-n", "-m"]).ok().map(|text| parse_modules(&text))
}

/// The extensions that it could load.
pub fn loadable(place: &Place) -> Vec<String> {
    let folders = std::fs::read_dir(place.host(EXTENSIONS)).into_iter().flatten().flatten();
    // The interface of PHP 8.4; other versions may be installed beside it.
    let own = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("20240924"));
    let files = own.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    files.filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".so")?.to_owned())).collect()
}

pub fn start(start: &Start, server: &mut Server, jit: bool, keep: bool, children: Option<usize>) -> Result<(), String> {
    let place = start.place;
    let fpm = place.program("php-fpm8.4").ok_or("no php-fpm8.4 here: `jumbo bench setup` installs it")?.display().to_string();
    let children = start.options.workers.or(children).unwrap_or(start.options.core_count() * CHILDREN_PER_CORE);
    server.settings["versions"]["php-fpm"] = json!(version(place, &[], &fpm, "-v"));
    server.settings["children"] = json!(children);

    let mut ini = start.common_ini();
    ini.push_str(OPCACHE);
    ini.push_str(if jit { "opcache.jit = tracing\nopcache.jit_buffer_size = 64M\n" } else { "opcache.jit = disable\n" });
    server.settings["extensions"] = json!([built_in(place).unwrap_or_default(), start.site.extensions.clone()].concat());
    for extension in &start.site.extensions {
        ini.push_str(&format!("extension = {extension}\n"));
    }
    let ini = start.write(server, "php.ini", &ini)?;

    let socket = start.folder.join("fpm.sock");
    let user = if place.is_superuser() { "user = root\ngroup = root\n" } else { "" };
    // Workers that callgrind counts write down what it has counted before they end.
    let patience = if start.options.callgrind { "process_control_timeout = 100s\n" } else { "" };
    let pool = format!(
        "[global]\nerror_log = /dev/stderr\nlog_level = warning\ndaemonize = no\n{patience}\n[www]\n{user}listen = {}\nlisten.backlog = 4096\npm = static\n\
         pm.max_children = {children}\npm.max_requests = 0\ncatch_workers_output = yes\ndecorate_workers_output = no\naccess.log = /dev/null\n",
        socket.display()
    );
    let pool = start.write(server, "fpm.conf", &pool)?;
    let _ = std::fs::remove_file(place.host(&socket));
    let mut arguments: Vec<String> = ["-F", "-c", &ini.display().to_string(), "-y", &pool.display().to_string()].map(str::to_owned).into();
    if place.is_superuser() {
        arguments.push("-R".into());
    }
    start.spawn(server, "php-fpm", &[], &fpm, &arguments)?;

    let keepalive = if keep { format!("keepalive {children}; keepalive_requests 1000000;") } else { String::new() };
    let fallback = start.site.front_controller.as_ref().map_or("=404".to_owned(), |path| format!("/{}$is_args$args", path.trim_start_matches('/')));
    let (keep_conn, socket) = (if keep { "on" } else { "off" }, socket.display());
    let http = format!("upstream fpm {{ server unix:{socket}; {keepalive} }}");
    let server_block = format!(
        "    index index.php index.html;\n    location / {{ try_files $uri $uri/ {fallback}; }}\n    location ~ [^/]\\.php(/|$) {{\n      \
         fastcgi_split_path_info ^(.+?\\.php)(/.*)?$;\n      fastcgi_pass fpm;\n      fastcgi_keep_conn {keep_conn};\n      include /etc/nginx/fastcgi_params;\n      \
         fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;\n      fastcgi_param PATH_INFO $fastcgi_path_info;\n      \
         fastcgi_buffers 64 16k;\n      fastcgi_read_timeout 120s;\n    }}\n"
    );
    nginx(start, server, &http, &server_block)
}

/// nginx alone.
pub fn start_static(start: &Start, server: &mut Server) -> Result<(), String> {
    nginx(start, server, "", "")
}

fn nginx(start: &Start, server: &mut Server, http: &str, server_block: &str) -> Result<(), String> {
    let place = start.place;
    let nginx = place.program("nginx").ok_or("no nginx here: `jumbo bench setup` installs it")?.display().to_string();
    server.settings["versions"]["nginx"] = json!(version(place, &[], &nginx, "-v"));
    let cores = start.options.core_count();
    server.settings["nginx_worker_processes"] = json!(cores);
    server.settings["cores"] = json!(start.options.cores.clone().unwrap_or_else(|| (0..machine_cores()).collect()));
    let folder = start.folder.display();
    let user = if place.is_superuser() { "user root;" } else { "" };
    let temporary: String = ["client_body", "fastcgi", "proxy", "uwsgi", "scgi"].iter().map(|name| format!("  {name}_temp_path {folder}/{name};\n")).collect();
    let (port, root) = (start.port, start.site.document_root.display());
    let text = format!(
        "{user}\ndaemon off;\nworker_processes {cores};\npid {folder}/nginx.pid;\nerror_log /dev/stderr error;\n\
         events {{ worker_connections 4096; }}\nhttp {{\n  include /etc/nginx/mime.types;\n  access_log off;\n  sendfile on;\n  tcp_nopush on;\n  \
         keepalive_requests 1000000;\n  keepalive_timeout 65;\n{temporary}  {http}\n  server {{\n    listen 127.0.0.1:{port} backlog=4096;\n    server_name {HOST};\n    root {root};\n{server_block}  }}\n}}\n"
    );
    let configuration = start.write(server, "nginx.conf", &text)?;
    let arguments = ["-c".to_owned(), configuration.display().to_string(), "-p".into(), folder.to_string(), "-e".into(), "/dev/stderr".into()];
    start.spawn(server, super::FRONT, &[], &nginx, &arguments)
}
