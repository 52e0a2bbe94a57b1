//! Plots as SVG text: lines, and bars.
//!
//! Not here: which plots a page has (`page`). A plot of one point says less than its number, so
//! nobody asks for one.

/// One line of a plot.
pub(crate) struct Series {
    /// Shown in the legend.
    pub(crate) name: String,
    /// Points, x ascending.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 42.0;
const TOP: f64 = 44.0;
const RIGHT: f64 = 16.0;
const COLOURS: [&str; 4] = ["#1f5fa8", "#c0562b", "#3a7d44", "#7a4a9a"];
/// Lines with more points have no marks.
const MARKS_MAX: usize = 12;

/// Lines from zero.
pub(crate) fn plot(title: &str, x_name: &str, y_name: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|s| s.points.iter());
    let x_max = points().map(|p| p.0).fold(1e-9, f64::max);
    let y_max = nice(points().map(|p| p.1).fold(0.0, f64::max));
    let x = |v: f64| LEFT + v / x_max * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| HEIGHT - BOTTOM - v / y_max * (HEIGHT - BOTTOM - TOP);
    let mut svg = frame(title, x_name, y_name, y_max);
    for i in 0..=5 {
        let value = x_max * f64::from(i) / 5.0;
        svg += &x_tick(x(value), &number(value));
    }
    for (i, line) in series.iter().enumerate() {
        svg += &draw(line, COLOURS[i % COLOURS.len()], &x, &y);
    }
    if series.len() > 1 {
        svg += &legend(series);
    }
    svg + "</svg>"
}

/// Bars with a name each.
pub(crate) fn bars(title: &str, x_name: &str, y_name: &str, all: &[(String, f64)]) -> String {
    let y_max = nice(all.iter().map(|(_, value)| *value).fold(0.0, f64::max));
    let width = (WIDTH - LEFT - RIGHT) / all.len().max(1) as f64;
    let mut svg = frame(title, x_name, y_name, y_max);
    // Names that would run into each other are left out.
    let every = all.len().div_ceil(12).max(1);
    for (nth, (name, value)) in all.iter().enumerate() {
        let left = LEFT + width * nth as f64;
        let height = value / y_max * (HEIGHT - BOTTOM - TOP);
        svg += &format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{}\"><title>{}: {}</title></rect>",
            left + width * 0.1,
            HEIGHT - BOTTOM - height,
            (width * 0.8).min(70.0),
            COLOURS[0],
            escape(name),
            number(*value)
        );
        if nth % every == 0 {
            svg += &x_tick(left + (width * 0.5).min(width * 0.1 + 35.0), name);
        }
    }
    svg + "</svg>"
}

/// Title, axes from zero, and lines across.
fn frame(title: &str, x_name: &str, y_name: &str, y_max: f64) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{t}\">\
         <text x=\"4\" y=\"16\" class=\"title\">{t}</text>\
         <text x=\"4\" y=\"34\" class=\"tick\">{y}</text>\
         <text x=\"{middle}\" y=\"{foot}\" class=\"tick\" text-anchor=\"middle\">{x}</text>",
        t = escape(title),
        y = escape(y_name),
        x = escape(x_name),
        middle = (LEFT + WIDTH - RIGHT) / 2.0,
        foot = HEIGHT - 6.0,
    );
    for i in 0..=4 {
        let value = y_max * f64::from(i) / 4.0;
        let y = HEIGHT - BOTTOM - value / y_max * (HEIGHT - BOTTOM - TOP);
        svg += &format!(
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" class=\"grid\"/>\
             <text x=\"{}\" y=\"{:.1}\" class=\"tick\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0,
            number(value)
        );
    }
    svg
}

fn x_tick(at: f64, text: &str) -> String {
    format!(
        "<text x=\"{at:.1}\" y=\"{}\" class=\"tick\" text-anchor=\"middle\">{}</text>",
        HEIGHT - BOTTOM + 16.0,
        escape(text)
    )
}

fn draw(line: &Series, colour: &str, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) -> String {
    let places: Vec<(f64, f64)> = line.points.iter().map(|p| (x(p.0), y(p.1))).collect();
    let path: Vec<String> = places
        .iter()
        .map(|p| format!("{:.1},{:.1}", p.0, p.1))
        .collect();
    let mut svg = format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>",
        path.join(" ")
    );
    if places.len() <= MARKS_MAX {
        for (x, y) in places {
            svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
    }
    svg
}

fn legend(series: &[Series]) -> String {
    let mut right = WIDTH - RIGHT;
    let mut svg = String::new();
    for (i, line) in series.iter().enumerate().rev() {
        svg += &format!(
            "<text x=\"{right:.0}\" y=\"34\" fill=\"{}\" class=\"name\" text-anchor=\"end\">{}</text>",
            COLOURS[i % COLOURS.len()],
            escape(&line.name)
        );
        right -= 7.0 * line.name.chars().count() as f64 + 14.0;
    }
    svg
}

/// The next 1, 2, 4, 6 or 8 times a power of ten: a quarter of it is a round number too.
fn nice(max: f64) -> f64 {
    if max <= 0.0 || !max.is_finite() {
        return 1.0;
    }
    let base = 10_f64.powf(max.log10().floor());
    [1.0, 2.0, 4.0, 6.0, 8.0, 10.0]
        .iter()
        .map(|f| f * base)
        .find(|v| *v >= max)
        .unwrap_or(max)
}

/// A value with as many digits as tell something.
pub(crate) fn number(value: f64) -> String {
    let text = if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.3}")
    };
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Text safe inside HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_and_escapes() {
        assert_eq!(nice(430.0), 600.0);
        assert_eq!(nice(0.0), 1.0);
        assert_eq!(number(0.25), "0.25");
        let line = |points: &[(f64, f64)]| Series {
            name: "s".into(),
            points: points.to_vec(),
        };
        let svg = plot("a<b", "x", "y", &[line(&[(1.0, 2.0), (2.0, 1.0)])]);
        assert!(svg.contains("a&lt;b") && svg.contains("<circle"));
        let many: Vec<(f64, f64)> = (0..100).map(|n| (f64::from(n), 1.0)).collect();
        assert!(!plot("t", "x", "y", &[line(&many)]).contains("<circle"));
        let svg = bars(
            "shares",
            "ms",
            "%",
            &[("<1".into(), 75.0), ("1".into(), 25.0)],
        );
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(svg.contains("&lt;1: 75"), "{svg}");
    }
}
