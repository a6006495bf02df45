//! Functions on timestamps: date, mktime, strtotime, getdate, date_parse and their like.

use crate::core::time::{Fields, Relative, Time};
use crate::core::timezone::{TimeZone, Zone};
use crate::core::{calendar, format, lookup, parse, parse_format};
use crate::moment::no_nul;
use crate::{parsed, settings, strftime as strf};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value, Work};
use jumbo_value::string::up_to_nul;

pub fn time(_cx: &mut Cx) -> i64 {
    settings::clock().0
}

pub fn date(cx: &mut Cx, format: &PStr, timestamp: Option<i64>) -> Res<PStr> {
    let time = settings::at(cx, timestamp);
    Ok(format::format(&time, format.as_bytes(), true)?)
}

fn utc(timestamp: Option<i64>) -> Time {
    Time::from_timestamp(timestamp.unwrap_or_else(|| settings::clock().0), 0, Zone::utc())
}

pub fn gmdate(_cx: &mut Cx, format: &PStr, timestamp: Option<i64>) -> Res<PStr> {
    Ok(format::format(&utc(timestamp), format.as_bytes(), false)?)
}

pub fn idate(cx: &mut Cx, format: &PStr, timestamp: Option<i64>) -> Res<OrFalse<i64>> {
    let &[letter] = format.as_bytes() else {
        cx.warning("idate format is one char")?;
        return Ok(OrFalse::FALSE);
    };
    let time = settings::at(cx, timestamp);
    let number = format::idate(&time, letter);
    if number.is_none() {
        cx.warning("Unrecognized date format token")?;
    }
    Ok(OrFalse(number))
}

pub fn strtotime(cx: &mut Cx, datetime: &PStr, base: Option<i64>) -> Res<OrFalse<i64>> {
    let parsed = parse::parse(&mut Work::new(cx), datetime.as_bytes())?;
    if !parsed.errors.is_empty() {
        return Ok(OrFalse::FALSE);
    }
    let now = settings::at(cx, base);
    in_range(cx, Time::from_parsed(&parsed, &now).map(|time| time.sse).ok())
}

fn in_range(cx: &mut Cx, seconds: Option<i64>) -> Res<OrFalse<i64>> {
    if seconds.is_none() {
        cx.warning("Epoch doesn't fit in a PHP integer")?;
    }
    Ok(OrFalse(seconds))
}

/// The six arguments of mktime: hour, minute, second, month, day, year.
type Clock = (i64, Option<i64>, Option<i64>, Option<i64>, Option<i64>, Option<i64>);

fn make(cx: &mut Cx, zone: Zone, clock: Clock) -> Res<OrFalse<i64>> {
    let now = Time::from_timestamp(settings::clock().0, 0, zone);
    let (h, i, s, m, d, y) = clock;
    let year = |y: i64| match y {
        0..70 => y + 2000,
        70..=100 => y + 1900,
        y => y,
    };
    let fields = Fields {
        y: y.map_or(now.y, year),
        m: m.unwrap_or(now.m),
        d: d.unwrap_or(now.d),
        h,
        i: i.unwrap_or(now.i),
        s: s.unwrap_or(now.s),
        us: 0,
    };
    let made = Time::resolve(fields, &Relative::default(), now.zone.clone(), Some(now.dst));
    in_range(cx, made.map(|time| time.sse).ok())
}

pub fn mktime(
    cx: &mut Cx,
    hour: i64,
    minute: Option<i64>,
    second: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    year: Option<i64>,
) -> Res<OrFalse<i64>> {
    let zone = settings::default_zone(cx);
    make(cx, zone, (hour, minute, second, month, day, year))
}

pub fn gmmktime(
    cx: &mut Cx,
    hour: i64,
    minute: Option<i64>,
    second: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    year: Option<i64>,
) -> Res<OrFalse<i64>> {
    make(cx, Zone::utc(), (hour, minute, second, month, day, year))
}

pub fn checkdate(_cx: &mut Cx, month: i64, day: i64, year: i64) -> bool {
    (1..=32_767).contains(&year) && calendar::valid_date(year, month, day)
}

pub fn getdate(cx: &mut Cx, timestamp: Option<i64>) -> PArray {
    let t = settings::at(cx, timestamp);
    let weekday = calendar::day_of_week(t.y, t.m, t.d);
    let name = |list: &[&'static str], n: i64| {
        PStr::new(usize::try_from(n).ok().and_then(|n| list.get(n)).copied().unwrap_or("").as_bytes())
    };
    let mut array = PArray::new();
    let numbers = [
        ("seconds", t.s),
        ("minutes", t.i),
        ("hours", t.h),
        ("mday", t.d),
        ("wday", weekday),
        ("mon", t.m),
        ("year", t.y),
        ("yday", calendar::day_of_year(t.y, t.m, t.d)),
    ];
    for (key, number) in numbers {
        array.set_bytes(key.as_bytes(), number);
    }
    array.set_bytes(b"weekday", name(&lookup::DAYS, weekday));
    array.set_bytes(b"month", name(&lookup::MONTHS, t.m - 1));
    array.set_int(0, t.sse);
    array
}

pub fn localtime(cx: &mut Cx, timestamp: Option<i64>, associative: bool) -> PArray {
    let t = settings::at(cx, timestamp);
    let members = [
        ("tm_sec", t.s),
        ("tm_min", t.i),
        ("tm_hour", t.h),
        ("tm_mday", t.d),
        ("tm_mon", t.m - 1),
        ("tm_year", t.y.saturating_sub(1900)),
        ("tm_wday", calendar::day_of_week(t.y, t.m, t.d)),
        ("tm_yday", calendar::day_of_year(t.y, t.m, t.d)),
        ("tm_isdst", i64::from(t.dst)),
    ];
    if !associative {
        return PArray::from_values(members.map(|(_, number)| Value::from(number)));
    }
    let mut array = PArray::new();
    for (key, number) in members {
        array.set_bytes(key.as_bytes(), number);
    }
    array
}

fn formatted(time: &Time, format: &PStr, local: bool) -> Res<OrFalse<PStr>> {
    if format.is_empty() {
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(Some(strf::format(time, up_to_nul(format), local)?)))
}

pub fn strftime(cx: &mut Cx, format: &PStr, timestamp: Option<i64>) -> Res<OrFalse<PStr>> {
    let time = settings::at(cx, timestamp);
    formatted(&time, format, true)
}

pub fn gmstrftime(_cx: &mut Cx, format: &PStr, timestamp: Option<i64>) -> Res<OrFalse<PStr>> {
    let time = utc(timestamp);
    formatted(&time, format, false)
}

pub fn date_default_timezone_get(cx: &mut Cx) -> PStr {
    PStr::new(settings::default_zone(cx).name().as_bytes())
}

pub fn date_default_timezone_set(cx: &mut Cx, timezone: &PStr) -> Res<bool> {
    match TimeZone::get(timezone.as_bytes()) {
        Some(zone) => {
            settings::choose_zone(cx, Zone::Id(zone));
            Ok(true)
        }
        None => {
            cx.notice([b"Timezone ID '".as_slice(), timezone.as_bytes(), b"' is invalid"])?;
            Ok(false)
        }
    }
}

pub fn date_parse(cx: &mut Cx, datetime: &PStr) -> Res<PArray> {
    Ok(parsed::array(&parse::parse(&mut Work::new(cx), datetime.as_bytes())?))
}

pub fn date_parse_from_format(cx: &mut Cx, format: &PStr, datetime: &PStr) -> Res<PArray> {
    no_nul(cx, datetime)?;
    Ok(parsed::array(&parse_format::parse(&mut Work::new(cx), format.as_bytes(), datetime.as_bytes())?))
}
