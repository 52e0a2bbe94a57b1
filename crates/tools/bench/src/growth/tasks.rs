//! Tasks that wait as a conversation does: memory of each.

use super::flat::flat;
use super::system::System;
use crate::figure::{self, Goal};
use crate::runs::quick;
use std::time::{Duration, Instant};

/// Most that a task may take.
const GOAL_MB: f64 = 0.6;
/// How long workers may take to come.
const PATIENCE: Duration = Duration::from_secs(300);

fn sizes() -> [u32; 3] {
    match quick() {
        true => [10, 50, 250],
        false => [20, 200, 1_900],
    }
}

pub(super) async fn run() -> Result<(), String> {
    let mut of_one = Vec::new();
    for size in sizes() {
        let mut system = System::new()?;
        system.start()?;
        // A task that ends, so that what the first one loads is not counted.
        system.link("GRTSQ", [1, 1]).await?;
        let (before, processes) = (system.memory_mb(), system.processes());
        let seconds = system.link("GRSTART", [size, 0]).await?;
        let (begin, wanted) = (Instant::now(), processes + size as usize - 1);
        while system.processes() < wanted {
            if begin.elapsed() > PATIENCE {
                let there = system.processes();
                return Err(format!("{there} processes in place of {wanted}"));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // Until the last of them waits, too.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let memory = system.memory_mb();
        let each = (memory - before) / f64::from(size);
        let goal = if size == sizes()[2] {
            Goal::Most(GOAL_MB)
        } else {
            Goal::None
        };
        let name = |what: &str| format!("growth_tasks_{what}_{size}");
        figure::value(&name("memory"), memory, "MB", Goal::None);
        figure::value(&name("memory_of_one"), each, "MB", goal);
        let all = seconds + begin.elapsed().as_secs_f64() - 2.0;
        figure::value(&name("begun"), all, "s", Goal::None);
        of_one.push((size as usize, all * 1e3 / f64::from(size)));
    }
    flat("task_begun", "ms", &of_one);
    Ok(())
}
