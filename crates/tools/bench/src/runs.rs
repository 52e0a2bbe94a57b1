//! How long and how often a bench measures, and which of its figures is printed.

/// `QUICK=1`: shorter steps, fewer repetitions.
pub(crate) fn quick() -> bool {
    std::env::var_os("QUICK").is_some_and(|v| v == "1")
}

/// Repetitions whose median is printed.
pub(crate) fn repetitions() -> usize {
    if quick() { 1 } else { 5 }
}

/// The middle value; 0 for none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
