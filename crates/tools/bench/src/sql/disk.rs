//! What a durable commit waits for.

use std::fs::File;
use std::io::Write;
use std::time::Instant;

const TIMES: usize = 101;

/// Median time of a write of 4 KB and its fdatasync, in milliseconds.
pub(crate) fn flush_ms() -> Result<f64, String> {
    let text = |e: std::io::Error| e.to_string();
    let folder = tempfile::tempdir_in("/tmp").map_err(text)?;
    let mut file = File::create(folder.path().join("flush")).map_err(text)?;
    let mut times = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let begin = Instant::now();
        file.write_all(&[7; 4096]).map_err(text)?;
        file.sync_data().map_err(text)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    Ok(crate::runs::median(times))
}
