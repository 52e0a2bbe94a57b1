//! Line plots as SVG text, enough for the figures of R1.

/// One line of a plot.
pub(crate) struct Series {
    /// Shown in the legend.
    pub(crate) name: String,
    /// Points, x ascending.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = 20.0;
const COLOURS: [&str; 4] = ["#1f5fa8", "#c0562b", "#3a7d44", "#7a4a9a"];

/// An SVG element with axes from zero.
pub(crate) fn plot(title: &str, x_name: &str, y_name: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|s| s.points.iter());
    let x_max = nice(points().map(|p| p.0).fold(0.0, f64::max));
    let y_max = nice(points().map(|p| p.1).fold(0.0, f64::max));
    let x = |v: f64| LEFT + v / x_max * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| HEIGHT - BOTTOM - v / y_max * (HEIGHT - BOTTOM - TOP);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{t}\">\
         <text x=\"{LEFT}\" y=\"18\" class=\"title\">{t}</text>",
        t = escape(title)
    );
    for i in 0..=5 {
        let (xv, yv) = (x_max * f64::from(i) / 5.0, y_max * f64::from(i) / 5.0);
        svg += &format!(
            "<line x1=\"{LEFT}\" x2=\"{r}\" y1=\"{py:.1}\" y2=\"{py:.1}\" class=\"grid\"/>\
             <text x=\"{lx}\" y=\"{ty:.1}\" class=\"tick\" text-anchor=\"end\">{yl}</text>\
             <text x=\"{px:.1}\" y=\"{by}\" class=\"tick\" text-anchor=\"middle\">{xl}</text>",
            r = WIDTH - RIGHT,
            py = y(yv),
            lx = LEFT - 6.0,
            ty = y(yv) + 4.0,
            yl = number(yv),
            px = x(xv),
            by = HEIGHT - BOTTOM + 16.0,
            xl = number(xv)
        );
    }
    svg += &format!(
        "<text x=\"{}\" y=\"{}\" class=\"tick\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{}\" class=\"tick\" transform=\"rotate(-90 14 {})\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 6.0,
        escape(x_name),
        HEIGHT / 2.0,
        HEIGHT / 2.0,
        escape(y_name)
    );
    for (i, line) in series.iter().enumerate() {
        svg += &draw(line, COLOURS[i % COLOURS.len()], i, &x, &y);
    }
    svg + "</svg>"
}

fn draw(
    line: &Series,
    colour: &str,
    nth: usize,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) -> String {
    let path: Vec<String> = line
        .points
        .iter()
        .map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1)))
        .collect();
    let mut svg = format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for p in &line.points {
        svg += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
            x(p.0),
            y(p.1)
        );
    }
    svg + &format!(
        "<text x=\"{:.0}\" y=\"18\" fill=\"{colour}\" class=\"tick\" text-anchor=\"end\">{}</text>",
        WIDTH - RIGHT - 110.0 * nth as f64,
        escape(&line.name)
    )
}

/// The next 1, 2 or 5 times a power of ten.
fn nice(max: f64) -> f64 {
    if max <= 0.0 || !max.is_finite() {
        return 1.0;
    }
    let base = 10_f64.powf(max.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .iter()
        .map(|f| f * base)
        .find(|v| *v >= max)
        .unwrap_or(max)
}

fn number(value: f64) -> String {
    let text = if value >= 100.0 {
        format!("{value:.0}")
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
        assert_eq!(nice(430.0), 500.0);
        assert_eq!(nice(0.0), 1.0);
        assert_eq!(number(0.25), "0.25");
        let svg = plot(
            "a<b",
            "x",
            "y",
            &[Series {
                name: "s".into(),
                points: vec![(1.0, 2.0)],
            }],
        );
        assert!(svg.contains("a&lt;b") && svg.contains("<circle"));
    }
}
