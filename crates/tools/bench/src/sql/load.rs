//! Callers of programs: as fast as they are answered, or at a rate.
//!
//! Why both: CPU of a transaction where there is always another one waiting, and response times
//! where there is not. Not here: which programs.

use super::region::SqlRegion;
use crate::runs::median;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What callers ask for.
pub(crate) trait Load: Send + Sync {
    /// Program, transaction and COMMAREA of the request of this number.
    fn next(&self, number: u64) -> (String, String, Vec<u8>);

    /// What is wrong with an answer.
    fn check(&self, number: u64, answer: &[u8]) -> Result<(), String>;
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    pub(crate) per_second: f64,
    /// Of all servers, for each transaction.
    pub(crate) cpu_ms: f64,
    pub(crate) cpu_percent: f64,
    pub(crate) average_ms: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

/// So many callers for some seconds, after one of warming up.
pub(crate) async fn full_speed(
    region: &SqlRegion<'_>,
    load: &dyn Load,
    (callers, seconds): (usize, u64),
) -> Result<Measured, String> {
    let next = AtomicU64::new(1);
    rounds(region, load, (&next, callers, 1)).await?;
    let (begin, cpu) = (Instant::now(), region.cpu_s());
    let times = rounds(region, load, (&next, callers, seconds)).await?;
    let cpu = region.cpu_s() - cpu;
    Ok(Measured::of(times, begin.elapsed(), cpu))
}

async fn rounds(
    region: &SqlRegion<'_>,
    load: &dyn Load,
    (next, callers, seconds): (&AtomicU64, usize, u64),
) -> Result<Vec<f64>, String> {
    let until = Instant::now() + Duration::from_secs(seconds);
    let caller = || async {
        let mut times = Vec::new();
        while Instant::now() < until {
            let number = next.fetch_add(1, Relaxed);
            let begin = Instant::now();
            call(region, load, number).await?;
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        Ok::<_, String>(times)
    };
    let mut all = Vec::new();
    for times in futures(callers, caller).await {
        all.extend(times?);
    }
    Ok(all)
}

/// Requests at a fixed rate whatever the server does; a late one counts from its time.
pub(crate) async fn paced(
    region: &SqlRegion<'_>,
    load: &dyn Load,
    (rate, callers, seconds): (f64, usize, u64),
) -> Result<Measured, String> {
    let (begin, cpu) = (Instant::now(), region.cpu_s());
    let number = Arc::new(AtomicU64::new(0));
    let last = (rate * seconds as f64) as u64;
    let caller = || async {
        let mut times = Vec::new();
        loop {
            let number = number.fetch_add(1, Relaxed);
            if number >= last {
                return Ok::<_, String>(times);
            }
            let due = begin + Duration::from_secs_f64(number as f64 / rate);
            tokio::time::sleep_until(due.into()).await;
            call(region, load, number).await?;
            times.push(due.elapsed().as_secs_f64() * 1e3);
        }
    };
    let mut all = Vec::new();
    for times in futures(callers, caller).await {
        all.extend(times?);
    }
    Ok(Measured::of(all, begin.elapsed(), region.cpu_s() - cpu))
}

async fn call(region: &SqlRegion<'_>, load: &dyn Load, number: u64) -> Result<(), String> {
    let (program, transid, commarea) = load.next(number);
    let answer = region.link((&program, &transid), commarea).await?;
    load.check(number, &answer)
}

/// Runs so many of a future on this thread, all at the same time.
async fn futures<F: Future>(count: usize, make: impl Fn() -> F) -> Vec<F::Output> {
    let mut running: Vec<_> = (0..count).map(|_| Box::pin(make())).collect();
    let mut ended = Vec::with_capacity(count);
    std::future::poll_fn(|cx| {
        running.retain_mut(|one| match one.as_mut().poll(cx) {
            std::task::Poll::Ready(output) => {
                ended.push(output);
                false
            }
            std::task::Poll::Pending => true,
        });
        match running.is_empty() {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    })
    .await;
    ended
}

impl Measured {
    fn of(times: Vec<f64>, elapsed: Duration, cpu_s: f64) -> Self {
        let (done, seconds) = (times.len().max(1) as f64, elapsed.as_secs_f64());
        let mut sorted = times;
        sorted.sort_by(f64::total_cmp);
        let p99 = sorted.get(sorted.len() * 99 / 100).copied();
        Self {
            per_second: done / seconds,
            cpu_ms: cpu_s * 1e3 / done,
            cpu_percent: cpu_s * 100.0 / seconds,
            average_ms: sorted.iter().sum::<f64>() / done,
            p99_ms: p99.unwrap_or_default(),
            p50_ms: median(sorted),
        }
    }
}
