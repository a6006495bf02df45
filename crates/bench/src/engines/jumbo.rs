//! `jumbo serve` as an engine under test.

use super::{Options, Server, Start, binary_mount, machine_cores, on_path, told, version};
use crate::extensions::parse_modules;
use crate::place::Place;
use serde_json::json;
use std::path::PathBuf;

/// The binary: the one that is named, or the one on PATH.
pub fn binary(options: &Options) -> Result<PathBuf, String> {
    if let Some(path) = &options.jumbo {
        return std::fs::canonicalize(path).map_err(|e| format!("{}: {e}", path.display()));
    }
    on_path("jumbo").ok_or_else(|| "no jumbo binary: name it with --jumbo PATH".to_owned())
}

/// The extensions that are built in.
pub fn extensions(place: &Place, options: &Options) -> Option<Vec<String>> {
    let (mounts, program) = binary_mount(place, &binary(options).ok()?, "jumbo");
    told(place, &mounts, &program, &["-m"]).ok().map(|text| parse_modules(&text)).filter(|found| !found.is_empty())
}

pub fn start(start: &Start, server: &mut Server, executors: Option<usize>) -> Result<(), String> {
    let binary = binary(start.options)?;
    let (mounts, program) = binary_mount(start.place, &binary, "jumbo");
    server.settings["versions"]["jumbo"] = json!(version(start.place, &mounts, &program, "-v"));
    if binary.components().any(|part| part.as_os_str() == "debug") {
        server.settings["warning"] = json!("the binary lies in a folder named debug: its figures are not Jumbo's");
    }
    let ini = start.write(server, "php.ini", &start.common_ini())?;
    let executors = executors.unwrap_or_else(|| start.options.core_count());
    let mut arguments = vec![
        "serve".to_owned(),
        start.site.document_root.display().to_string(),
        "-c".into(),
        ini.display().to_string(),
        "--listen".into(),
        format!("127.0.0.1:{}", start.port),
        "--executors".into(),
        executors.to_string(),
        "--revalidate-ms".into(),
        "2000".into(),
        "--backlog".into(),
        "4096".into(),
        "--follow-symlinks".into(),
    ];
    if let Some(front_controller) = &start.site.front_controller {
        arguments.extend(["--front-controller".into(), front_controller.clone()]);
    }
    if let Some(workers) = start.options.workers {
        // What does not get a place waits, as it does in the backlog of php-fpm.
        let queue = ["--queue-len-max", "100000", "--queue-wait-ms-max", "60000"].map(str::to_owned);
        arguments.extend(["--in-flight-max".to_owned(), workers.to_string()].into_iter().chain(queue));
    }
    server.settings["executors"] = json!(executors);
    server.settings["in_flight_max"] = json!(start.options.workers);
    server.settings["cores"] = json!(start.options.cores.clone().unwrap_or_else(|| (0..machine_cores()).collect()));
    start.spawn(server, "jumbo", &mounts, &program, &arguments)
}
