//! RoadRunner, when its binary is on PATH. It runs workers that are written for it, so a site must bring its `.rr.yaml`.

use super::{Server, Start, binary_mount, on_path, version};
use serde_json::json;

pub fn start(start: &Start, server: &mut Server) -> Result<(), String> {
    let binary = on_path("rr").ok_or("no rr on PATH")?;
    let configuration = start.site.document_root.join(".rr.yaml");
    let text = std::fs::read_to_string(start.place.host(&configuration))
        .map_err(|_| "RoadRunner runs worker scripts, not pages: the site has no .rr.yaml".to_owned())?;
    server.settings["files"][configuration.display().to_string()] = json!(text);
    let (mounts, program) = binary_mount(start.place, &binary, "rr");
    server.settings["versions"]["roadrunner"] = json!(version(start.place, &mounts, &program, "--version"));
    let workers = start.options.workers.unwrap_or(start.options.core_count() * 4);
    server.settings["workers"] = json!(workers);
    let arguments = [
        "serve".to_owned(),
        "-c".into(),
        configuration.display().to_string(),
        "-w".into(),
        start.site.document_root.display().to_string(),
        "-o".into(),
        format!("http.address=127.0.0.1:{}", start.port),
        "-o".into(),
        format!("http.pool.num_workers={workers}"),
    ];
    start.spawn(server, "rr", &mounts, &program, &arguments)
}
