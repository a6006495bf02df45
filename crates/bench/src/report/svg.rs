//! The drawing of charts: bars with their spread, and curves over linear or logarithmic axes.

use super::escape;
use std::fmt::Write;

/// As many as the style sheet has.
const COLOURS: usize = 6;

/// A bar: label, value, standard deviation, and the values that it stands for.
pub struct Bar {
    pub label: String,
    pub colour: usize,
    pub value: f64,
    pub sd: f64,
    pub dots: Vec<f64>,
}

/// A short text for a number on an axis.
pub fn tick(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 1e6 {
        format!("{}M", trim(value / 1e6))
    } else if magnitude >= 1e4 {
        format!("{}k", trim(value / 1e3))
    } else if magnitude >= 10.0 || value == 0.0 {
        format!("{value:.0}")
    } else {
        trim(value)
    }
}

fn trim(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The smallest of a few round numbers times a power of ten that is not below.
fn round_up(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0, 10.0].iter().map(|step| step * power).find(|&v| v >= value * 0.999_999).unwrap_or(value)
}

/// Horizontal bars.
pub fn bars(title: &str, bars: &[Bar]) -> String {
    const WIDTH: f64 = 540.0;
    const LEFT: f64 = 110.0;
    const ROW: f64 = 26.0;
    let most = bars.iter().flat_map(|bar| bar.dots.iter().copied().chain([bar.value + bar.sd])).fold(0.0, f64::max);
    let scale = round_up(most);
    let room = WIDTH - LEFT - 70.0;
    let x = |value: f64| LEFT + (value / scale).clamp(0.0, 1.2) * room;
    let height = ROW * bars.len() as f64 + 24.0;
    let mut out = figure(title, WIDTH, height);
    for part in 0..=4 {
        let value = scale * f64::from(part) / 4.0;
        let at = x(value);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{:.1}\"/><text class=\"faint\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            height - 18.0,
            height - 5.0,
            tick(value)
        );
    }
    for (n, bar) in bars.iter().enumerate() {
        let top = ROW * n as f64 + 4.0;
        let middle = top + 9.0;
        let end = x(bar.value);
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><rect class=\"f{}\" x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"18\" rx=\"2\"/>",
            LEFT - 6.0,
            middle + 4.0,
            escape(&bar.label),
            bar.colour % COLOURS,
            (end - LEFT).max(0.5)
        );
        if bar.sd > 0.0 {
            let (low, high) = (x((bar.value - bar.sd).max(0.0)), x(bar.value + bar.sd));
            let _ = write!(out, "<line class=\"error\" x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\"/>");
        }
        for dot in &bar.dots {
            let _ = write!(out, "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"2.2\"/>", x(*dot));
        }
        let beside = bar.dots.iter().copied().fold(bar.value + bar.sd, f64::max);
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x(beside) + 6.0, middle + 4.0, tick(bar.value));
    }
    out.push_str("</svg></figure>\n");
    out
}

/// A curve: its points need not be sorted.
pub struct Curve {
    pub label: String,
    pub colour: usize,
    pub points: Vec<(f64, f64)>,
}

/// How an axis counts.
#[derive(Clone, Copy, PartialEq)]
pub enum Axis {
    Linear,
    Logarithmic,
}

pub fn curves(title: &str, x_label: &str, curves: &[Curve], x_axis: Axis, y_axis: Axis) -> String {
    const WIDTH: f64 = 540.0;
    const HEIGHT: f64 = 270.0;
    const LEFT: f64 = 52.0;
    const BOTTOM: f64 = 42.0;
    let usable = |(x, y): &(f64, f64)| {
        let fits = |v: f64, axis| v.is_finite() && (axis == Axis::Linear || v > 0.0);
        fits(*x, x_axis) && fits(*y, y_axis)
    };
    let all: Vec<(f64, f64)> = curves.iter().flat_map(|curve| curve.points.iter().copied().filter(usable)).collect();
    if all.is_empty() {
        return String::new();
    }
    let range = |values: &mut dyn Iterator<Item = f64>, axis: Axis| {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        match axis {
            Axis::Linear => (low.min(0.0), round_up(high)),
            Axis::Logarithmic => (10_f64.powf(low.log10().floor()), 10_f64.powf(high.log10().ceil().max(low.log10().floor() + 1.0))),
        }
    };
    let (x_low, x_high) = range(&mut all.iter().map(|p| p.0), x_axis);
    let (y_low, y_high) = range(&mut all.iter().map(|p| p.1), y_axis);
    let share = |v: f64, low: f64, high: f64, axis: Axis| match axis {
        Axis::Linear => (v - low) / (high - low).max(f64::MIN_POSITIVE),
        Axis::Logarithmic => (v / low).log10() / (high / low).log10().max(f64::MIN_POSITIVE),
    };
    let x = |v: f64| LEFT + share(v, x_low, x_high, x_axis) * (WIDTH - LEFT - 12.0);
    let y = |v: f64| HEIGHT - BOTTOM - share(v, y_low, y_high, y_axis) * (HEIGHT - BOTTOM - 10.0);
    let ticks = |low: f64, high: f64, axis: Axis| match axis {
        Axis::Linear => (0..=4).map(|n| low + (high - low) * f64::from(n) / 4.0).collect::<Vec<_>>(),
        Axis::Logarithmic => {
            let (from, to) = (low.log10().round() as i32, high.log10().round() as i32);
            (from..=to).map(|power| 10_f64.powi(power)).collect()
        }
    };
    let mut out = figure(title, WIDTH, HEIGHT + 18.0);
    for value in ticks(x_low, x_high, x_axis) {
        let at = x(value);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"10\" y2=\"{:.1}\"/><text class=\"faint\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 14.0,
            tick(value)
        );
    }
    for value in ticks(y_low, y_high, y_axis) {
        let at = y(value);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"faint\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - 12.0,
            LEFT - 5.0,
            at + 4.0,
            tick(value)
        );
    }
    let _ = write!(
        out,
        "<text class=\"faint\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH) / 2.0,
        HEIGHT - BOTTOM + 30.0,
        escape(x_label)
    );
    for (n, curve) in curves.iter().enumerate() {
        let mut points: Vec<(f64, f64)> = curve.points.iter().copied().filter(usable).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let path: Vec<String> = points.iter().map(|&(px, py)| format!("{:.1},{:.1}", x(px), y(py))).collect();
        let colour = curve.colour % COLOURS;
        let _ = write!(out, "<polyline class=\"curve s{colour}\" points=\"{}\"/>", path.join(" "));
        if points.len() <= 20 {
            for (px, py) in &points {
                let _ = write!(out, "<circle class=\"f{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", x(*px), y(*py));
            }
        }
        let left = LEFT + 120.0 * n as f64;
        let _ = write!(
            out,
            "<rect class=\"f{colour}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            HEIGHT,
            left + 14.0,
            HEIGHT + 9.0,
            escape(&curve.label)
        );
    }
    out.push_str("</svg></figure>\n");
    out
}

fn figure(title: &str, width: f64, height: f64) -> String {
    let title = escape(title);
    format!("<figure><figcaption>{title}</figcaption><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round() {
        for (value, wanted) in [(0.0, 1.0), (1.0, 1.0), (1.1, 1.2), (2.2, 2.4), (37.0, 40.0), (5001.0, 6000.0), (f64::NAN, 1.0)] {
            assert!((round_up(value) - wanted).abs() < 1e-9 * wanted, "{value}: {}", round_up(value));
        }
        assert_eq!([0.0, 0.25, 12.4, 12_500.0, 2e6].map(tick), ["0", "0.25", "12", "12.5k", "2M"]);
    }

    #[test]
    fn curves_without_points_draw_nothing() {
        let empty = Curve { label: "x".into(), colour: 0, points: vec![(0.0, 5.0)] };
        assert_eq!(curves("t", "x", &[empty], Axis::Logarithmic, Axis::Linear), "");
        let one = Curve { label: "x".into(), colour: 9, points: vec![(1.0, 5.0)] };
        let drawn = curves("t", "x", &[one], Axis::Logarithmic, Axis::Logarithmic);
        assert!(drawn.contains("<circle") && !drawn.contains("NaN"));
    }
}
