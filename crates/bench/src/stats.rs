//! Statistics over runs: mean, standard deviation, and what can be said about the ratio of two engines.
//!
//! The ratio is taken run by run: runs alternate between the engines, so the n-th run of the one and the n-th of the other met the same
//! machine. The logarithms of these ratios have a mean and, by Student's t, a confidence interval; raised again they are the geometric mean
//! ratio and its interval.

/// Half the width of the 95 % interval in standard errors, by degrees of freedom (two-sided Student's t).
const T_95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
    2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

fn t_95(degrees: usize) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1..=30 => T_95[degrees - 1],
        31..=60 => 2.02,
        _ => 1.98,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    pub n: usize,
    pub mean: f64,
    /// Of the sample; 0 for a single value.
    pub sd: f64,
    pub min: f64,
    pub median: f64,
    pub max: f64,
}

impl Summary {
    /// None without values.
    pub fn of(values: &[f64]) -> Option<Summary> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let sd = if n > 1 { (squares / (n - 1) as f64).sqrt() } else { 0.0 };
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = if n % 2 == 1 { sorted[n / 2] } else { (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0 };
        Some(Summary { n, mean, sd, min: sorted[0], median, max: sorted[n - 1] })
    }
}

/// One engine relative to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    pub n: usize,
    pub ratio: f64,
    /// The 95 % confidence interval; None for fewer than two pairs.
    pub interval: Option<(f64, f64)>,
}

impl Ratio {
    /// Whether the interval leaves out 1: there is a difference.
    pub fn is_certain(&self) -> bool {
        self.interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0)
    }
}

/// The ratio of values that were measured in turns; pairs with a value that is not positive do not count.
pub fn paired_ratio(ours: &[f64], theirs: &[f64]) -> Option<Ratio> {
    let logs: Vec<f64> = ours.iter().zip(theirs).filter(|(a, b)| **a > 0.0 && **b > 0.0).map(|(a, b)| (a / b).ln()).collect();
    let summary = Summary::of(&logs)?;
    let half = t_95(summary.n - 1) * summary.sd / (summary.n as f64).sqrt();
    let interval = (summary.n > 1).then(|| ((summary.mean - half).exp(), (summary.mean + half).exp()));
    Some(Ratio { n: summary.n, ratio: summary.mean.exp(), interval })
}

/// The ratio of values of two sessions that had nothing to do with each other: Welch's interval over the logarithms.
pub fn unpaired_ratio(ours: &[f64], theirs: &[f64]) -> Option<Ratio> {
    let logs = |values: &[f64]| values.iter().filter(|v| **v > 0.0).map(|v| v.ln()).collect::<Vec<_>>();
    let (ours, theirs) = (Summary::of(&logs(ours))?, Summary::of(&logs(theirs))?);
    let mean = ours.mean - theirs.mean;
    let n = ours.n.min(theirs.n);
    let of = |s: &Summary| s.sd.powi(2) / s.n as f64;
    let (a, b) = (of(&ours), of(&theirs));
    let interval = (n > 1).then(|| {
        // Welch and Satterthwaite's degrees of freedom, rounded down.
        let denominator = a.powi(2) / (ours.n - 1) as f64 + b.powi(2) / (theirs.n - 1) as f64;
        let degrees = if denominator > 0.0 { ((a + b).powi(2) / denominator) as usize } else { ours.n + theirs.n - 2 };
        let half = t_95(degrees.max(1)) * (a + b).sqrt();
        ((mean - half).exp(), (mean + half).exp())
    });
    Some(Ratio { n, ratio: mean.exp(), interval })
}

/// Is a series of throughputs steady? The stated test of the warm-up.
///
/// The last eight windows: the mean of their second half is within [`Steadiness::DRIFT_MAX`] of that of the first, and their coefficient of variation is
/// below [`Steadiness::SPREAD_MAX`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steadiness {
    pub drift: f64,
    pub spread: f64,
}

impl Steadiness {
    pub const WINDOWS: usize = 8;
    pub const DRIFT_MAX: f64 = 0.03;
    pub const SPREAD_MAX: f64 = 0.06;

    /// None before there are enough windows.
    pub fn of(throughputs: &[f64]) -> Option<Steadiness> {
        let last = throughputs.get(throughputs.len().checked_sub(Self::WINDOWS)?..)?;
        let whole = Summary::of(last)?;
        let (first, second) = last.split_at(Self::WINDOWS / 2);
        let (first, second) = (Summary::of(first)?.mean, Summary::of(second)?.mean);
        if first <= 0.0 || whole.mean <= 0.0 {
            return Some(Steadiness { drift: f64::INFINITY, spread: f64::INFINITY });
        }
        Some(Steadiness { drift: (second / first - 1.0).abs(), spread: whole.sd / whole.mean })
    }

    pub fn is_steady(&self) -> bool {
        self.drift < Self::DRIFT_MAX && self.spread < Self::SPREAD_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3 * b.abs().max(1.0)
    }

    #[test]
    fn summaries() {
        let s = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert!(near(s.mean, 5.0) && near(s.sd, 2.138) && near(s.median, 4.5));
        assert_eq!((s.min, s.max, s.n), (2.0, 9.0, 8));
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[3.0]).unwrap().sd, 0.0);
    }

    #[test]
    fn ratios_of_pairs_ignore_what_hits_both() {
        // The machine slows down during the session; the one engine is always twice as fast.
        let theirs: Vec<f64> = (0..10).map(|n| 100.0 - 5.0 * f64::from(n)).collect();
        let ours: Vec<f64> = theirs.iter().map(|v| v * 2.0).collect();
        let paired = paired_ratio(&ours, &theirs).unwrap();
        assert!(near(paired.ratio, 2.0) && near(paired.interval.unwrap().0, 2.0) && paired.is_certain());
        let unpaired = unpaired_ratio(&ours, &theirs).unwrap();
        assert!(near(unpaired.ratio, 2.0));
        assert!(unpaired.interval.unwrap().0 < 1.9, "the drift is noise to it");
    }

    #[test]
    fn the_interval_is_students() {
        // ln ratios 0.1, 0.2, 0.3: mean 0.2, standard error 0.1/sqrt(3), t = 4.303.
        let theirs = [1.0; 3];
        let ours = [0.1_f64.exp(), 0.2_f64.exp(), 0.3_f64.exp()];
        let ratio = paired_ratio(&ours, &theirs).unwrap();
        let half = 4.303 * 0.1 / 3.0_f64.sqrt();
        assert!(near(ratio.interval.unwrap().0, (0.2 - half).exp()) && near(ratio.interval.unwrap().1, (0.2 + half).exp()));
        assert!(!ratio.is_certain());
        assert_eq!(paired_ratio(&[1.0], &[2.0]).unwrap().interval, None);
    }

    #[test]
    fn a_rising_throughput_is_not_steady() {
        let steady = |values: &[f64]| Steadiness::of(values).is_some_and(|s| s.is_steady());
        assert!(!steady(&[100.0; 7]));
        assert!(steady(&[100.0; 8]));
        assert!(steady(&[10.0, 50.0, 100.0, 101.0, 99.0, 100.0, 102.0, 98.0, 100.0, 101.0]));
        assert!(!steady(&[60.0, 70.0, 80.0, 85.0, 90.0, 95.0, 98.0, 100.0]));
        assert!(!steady(&[100.0, 60.0, 140.0, 100.0, 100.0, 60.0, 140.0, 100.0]));
        assert!(!steady(&[0.0; 8]));
    }
}
