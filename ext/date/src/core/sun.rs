//! Sunrise, sunset, transit and twilight, for `date_sun_info()`, `date_sunrise()` and `date_sunset()`.
//!
//! The method is Paul Schlyter's (public domain, <https://stjarnhimlen.se/comp/riset.html>): the sun's ecliptic longitude from mean
//! elements, good to about a minute between 1801 and 2099 away from the poles. Angles are degrees.

use super::calendar;

/// What happens on a day at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SunDay {
    /// Rise and set, seconds since 1970.
    RiseAndSet(i64, i64),
    AlwaysAbove,
    AlwaysBelow,
}

/// A day's answer for one altitude of the sun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunTimes {
    pub day: SunDay,
    /// When the sun stands in the south, seconds since 1970.
    pub transit: i64,
    /// Rise, set and transit as hours of the UTC day.
    pub rise_h: f64,
    pub set_h: f64,
    pub transit_h: f64,
}

fn revolution(x: f64) -> f64 {
    x - 360.0 * (x / 360.0).floor()
}

fn half_revolution(x: f64) -> f64 {
    x - 360.0 * (x / 360.0 + 0.5).floor()
}

fn sind(x: f64) -> f64 {
    x.to_radians().sin()
}

fn cosd(x: f64) -> f64 {
    x.to_radians().cos()
}

/// Greenwich sidereal time at 0h, in degrees.
fn sidereal(d: f64) -> f64 {
    revolution((180.0 + 356.0470 + 282.9404) + (0.985_600_258_5 + 4.709_35e-5) * d)
}

/// The sun's right ascension and declination, and its distance in astronomical units.
fn sun_position(d: f64) -> (f64, f64, f64) {
    let anomaly = revolution(356.0470 + 0.985_600_258_5 * d);
    let perihelion = 282.9404 + 4.709_35e-5 * d;
    let eccentricity = 0.016_709 - 1.151e-9 * d;
    let eccentric = anomaly + eccentricity.to_degrees() * sind(anomaly) * (1.0 + eccentricity * cosd(anomaly));
    let x = cosd(eccentric) - eccentricity;
    let y = (1.0 - eccentricity * eccentricity).sqrt() * sind(eccentric);
    let distance = x.hypot(y);
    let longitude = revolution(y.atan2(x).to_degrees() + perihelion);
    let obliquity = 23.4393 - 3.563e-7 * d;
    let (x, y) = (distance * cosd(longitude), distance * sind(longitude));
    let (y, z) = (y * cosd(obliquity), y * sind(obliquity));
    (y.atan2(x).to_degrees(), z.atan2(x.hypot(y)).to_degrees(), distance)
}

/// When the sun passes `altitude` on the day `y`-`m`-`d`; with `upper_limb` its upper edge counts, not its centre.
pub fn times(date: (i64, i64, i64), latitude: f64, longitude: f64, altitude: f64, upper_limb: bool) -> SunTimes {
    let (y, m, d) = date;
    let midnight = calendar::saturate(calendar::days_from_civil_wide(y, m, d) * 86_400);
    // Days since 2000-01-01 12:00 UTC, with the shift PHP uses.
    let day = (midnight as f64 - 946_728_000.0) / 86_400.0 + SHIFT_DAYS - longitude / 360.0;
    let sidereal = revolution(sidereal(day) + 180.0 + longitude);
    let (ascension, declination, distance) = sun_position(day);
    let transit_h = 12.0 - half_revolution(sidereal - ascension) / 15.0;
    let altitude = if upper_limb { altitude - 0.2666 / distance } else { altitude };
    let cosine = (sind(altitude) - sind(latitude) * sind(declination)) / (cosd(latitude) * cosd(declination));
    let (half_arc_h, reached) = match cosine {
        c if c >= 1.0 => (0.0, Some(SunDay::AlwaysBelow)),
        c if c <= -1.0 => (12.0, Some(SunDay::AlwaysAbove)),
        c => (c.acos().to_degrees() / 15.0, None),
    };
    let at = |hours: f64| (hours * 3600.0 + midnight as f64) as i64;
    let (rise_h, set_h) = (transit_h - half_arc_h, transit_h + half_arc_h);
    SunTimes {
        day: reached.unwrap_or(SunDay::RiseAndSet(at(rise_h), at(set_h))),
        transit: at(transit_h),
        rise_h,
        set_h,
        transit_h,
    }
}

/// Confirmed by comparison with stock PHP, which agrees to the second.
const SHIFT_DAYS: f64 = 2.0;

/// The altitudes of `date_sun_info()`: sunrise, civil, nautical and astronomical twilight, each with whether the edge counts.
pub const ALTITUDES: [(f64, bool); 4] = [(-35.0 / 60.0, true), (-6.0, false), (-12.0, false), (-18.0, false)];
