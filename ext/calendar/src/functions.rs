//! The functions of the extension.

use crate::days::{self, Calendar, Date, is_jewish_leap, weekday};
use crate::hebrew;
use jumbo_abi::{Cx, PArray, PStr, Res, Value};

const MONTHS: [&str; 13] = [
    "", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];
const JEWISH_MONTHS: [&str; 14] = [
    "", "Tishri", "Heshvan", "Kislev", "Tevet", "Shevat", "Adar I", "Adar II", "Nisan", "Iyyar", "Sivan", "Tammuz", "Av", "Elul",
];
const FRENCH_MONTHS: [&str; 14] = [
    "", "Vendemiaire", "Brumaire", "Frimaire", "Nivose", "Pluviose", "Ventose", "Germinal", "Floreal", "Prairial", "Messidor", "Thermidor",
    "Fructidor", "Extra",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The day number of 1970-01-01.
const UNIX_EPOCH: i64 = 2_440_588;
const DAY_S: i64 = 86400;
/// The day after the last one of the French calendar.
const FRENCH_END: i64 = 2_380_953;

fn short(name: &str) -> &str {
    name.get(..3).unwrap_or(name)
}

fn month_of(names: &[&'static str], month: i64) -> &'static str {
    usize::try_from(month).ok().and_then(|m| names.get(m).copied()).unwrap_or("")
}

/// The name of a month; Adar has no number in years that have but one.
fn jewish_month(date: Date) -> &'static str {
    match date.month {
        6 if !is_jewish_leap(date.year) => "",
        7 if !is_jewish_leap(date.year) => "Adar",
        month => month_of(&JEWISH_MONTHS, month),
    }
}

fn month_name(calendar: Calendar, date: Date) -> &'static str {
    match calendar {
        Calendar::Gregorian | Calendar::Julian => month_of(&MONTHS, date.month),
        Calendar::Jewish => jewish_month(date),
        Calendar::French => month_of(&FRENCH_MONTHS, date.month),
    }
}

/// The calendar that argument `n` says.
fn calendar(cx: &mut Cx, id: i64, n: u32) -> Res<Calendar> {
    match Calendar::numbered(id) {
        Some(calendar) => Ok(calendar),
        None => Err(cx.arg_value_error(n, "must be a valid calendar ID")),
    }
}

fn text(date: Date) -> String {
    format!("{}/{}/{}", date.month, date.day, date.year)
}

// ---- any calendar

fn info(calendar: Calendar) -> PArray {
    let (names, abbreviated, longest, name, symbol): (&[&str], bool, i64, &str, &str) = match calendar {
        Calendar::Gregorian => (&MONTHS, true, 31, "Gregorian", "CAL_GREGORIAN"),
        Calendar::Julian => (&MONTHS, true, 31, "Julian", "CAL_JULIAN"),
        Calendar::Jewish => (&JEWISH_MONTHS, false, 30, "Jewish", "CAL_JEWISH"),
        Calendar::French => (&FRENCH_MONTHS, false, 30, "French", "CAL_FRENCH"),
    };
    let (mut months, mut shorts) = (PArray::new(), PArray::new());
    for (n, name) in (0..).zip(names).skip(1) {
        months.set_int(n, Value::bytes(name.as_bytes()));
        shorts.set_int(n, Value::bytes(if abbreviated { short(name) } else { name }.as_bytes()));
    }
    let mut array = PArray::new();
    array.set_bytes(b"months", months);
    array.set_bytes(b"abbrevmonths", shorts);
    array.set_bytes(b"maxdaysinmonth", longest);
    array.set_bytes(b"calname", Value::bytes(name.as_bytes()));
    array.set_bytes(b"calsymbol", Value::bytes(symbol.as_bytes()));
    array
}

pub fn cal_info(cx: &mut Cx, id: i64) -> Res<PArray> {
    if id == -1 {
        return Ok(Calendar::ALL.into_iter().map(|c| Value::from(info(c))).collect());
    }
    calendar(cx, id, 1).map(info)
}

pub fn cal_days_in_month(cx: &mut Cx, id: i64, month: i64, year: i64) -> Res<i64> {
    let calendar = calendar(cx, id, 1)?;
    check_month(cx, month, 2)?;
    check_year(cx, year, 3)?;
    let start = calendar.to_day(Date { year, month, day: 1 });
    if start == 0 {
        return Err(cx.value_error("Invalid date"));
    }
    let mut next = calendar.to_day(Date { year, month: month + 1, day: 1 });
    if next == 0 {
        // The next month is the first one of the next year, which is 1 after -1.
        let year = if year == -1 { 1 } else { year + 1 };
        next = calendar.to_day(Date { year, month: 1, day: 1 });
        if next == 0 && calendar == Calendar::French {
            next = FRENCH_END;
        }
    }
    Ok(next - start)
}

fn check_month(cx: &mut Cx, month: i64, n: u32) -> Res<()> {
    if (1..i64::from(i32::MAX)).contains(&month) { Ok(()) } else { Err(cx.arg_value_error(n, "must be between 1 and 2147483646")) }
}

fn check_year(cx: &mut Cx, year: i64, n: u32) -> Res<()> {
    if year < i64::from(i32::MAX) { Ok(()) } else { Err(cx.arg_value_error(n, "must be less than 2147483646")) }
}

pub fn cal_to_jd(cx: &mut Cx, id: i64, month: i64, day: i64, year: i64) -> Res<i64> {
    let calendar = calendar(cx, id, 1)?;
    check_month(cx, month, 2)?;
    if i32::try_from(day).is_err() {
        return Err(cx.arg_value_error(3, "must be between -2147483648 and 2147483647"));
    }
    check_year(cx, year, 4)?;
    Ok(calendar.to_day(Date { year, month, day }))
}

pub fn cal_from_jd(cx: &mut Cx, julian_day: i64, id: i64) -> Res<PArray> {
    let calendar = calendar(cx, id, 2)?;
    let date = calendar.to_date(julian_day);
    let mut array = PArray::new();
    array.set_bytes(b"date", Value::bytes(text(date).as_bytes()));
    array.set_bytes(b"month", date.month);
    array.set_bytes(b"day", date.day);
    array.set_bytes(b"year", date.year);
    // A Jewish date that is none has no weekday.
    if calendar != Calendar::Jewish || date.year > 0 {
        let weekday = weekday(julian_day);
        array.set_bytes(b"dow", weekday as i64);
        array.set_bytes(b"abbrevdayname", Value::bytes(short(WEEKDAYS[weekday]).as_bytes()));
        array.set_bytes(b"dayname", Value::bytes(WEEKDAYS[weekday].as_bytes()));
    } else {
        array.set_bytes(b"dow", Value::null());
        array.set_bytes(b"abbrevdayname", Value::empty_string());
        array.set_bytes(b"dayname", Value::empty_string());
    }
    let month = month_name(calendar, date);
    let abbreviated = if matches!(calendar, Calendar::Gregorian | Calendar::Julian) { short(month) } else { month };
    array.set_bytes(b"abbrevmonth", Value::bytes(abbreviated.as_bytes()));
    array.set_bytes(b"monthname", Value::bytes(month.as_bytes()));
    Ok(array)
}

// ---- to day numbers

/// PHP takes the low 32 bits of each number.
fn day_of(calendar: Calendar, month: i64, day: i64, year: i64) -> i64 {
    let low = |n: i64| i64::from(n as i32);
    calendar.to_day(Date { year: low(year), month: low(month), day: low(day) })
}

pub fn gregoriantojd(_cx: &mut Cx, month: i64, day: i64, year: i64) -> i64 {
    day_of(Calendar::Gregorian, month, day, year)
}

pub fn juliantojd(_cx: &mut Cx, month: i64, day: i64, year: i64) -> i64 {
    day_of(Calendar::Julian, month, day, year)
}

pub fn jewishtojd(cx: &mut Cx, month: i64, day: i64, year: i64) -> Res<i64> {
    if i32::try_from(year).is_err() {
        return Err(cx.arg_value_error(3, "must be between -2147483648 and 2147483647"));
    }
    Ok(day_of(Calendar::Jewish, month, day, year))
}

pub fn frenchtojd(_cx: &mut Cx, month: i64, day: i64, year: i64) -> i64 {
    day_of(Calendar::French, month, day, year)
}

// ---- from day numbers

pub fn jdtogregorian(_cx: &mut Cx, julian_day: i64) -> PStr {
    PStr::from(text(days::to_gregorian(julian_day)).as_str())
}

pub fn jdtojulian(_cx: &mut Cx, julian_day: i64) -> PStr {
    PStr::from(text(days::to_julian(julian_day)).as_str())
}

pub fn jdtofrench(_cx: &mut Cx, julian_day: i64) -> PStr {
    PStr::from(text(days::to_french(julian_day)).as_str())
}

pub fn jdtojewish(cx: &mut Cx, julian_day: i64, in_hebrew: bool, flags: i64) -> Res<PStr> {
    let date = days::to_jewish(julian_day);
    if !in_hebrew {
        return Ok(PStr::from(text(date).as_str()));
    }
    if !(1..=9999).contains(&date.year) {
        return Err(cx.value_error("Year out of range (0-9999)"));
    }
    Ok(PStr::new(&hebrew::date(date, flags)))
}

pub fn jddayofweek(_cx: &mut Cx, julian_day: i64, mode: i64) -> Value {
    const LONG: i64 = 1;
    const SHORT: i64 = 2;
    let weekday = weekday(julian_day);
    match mode {
        LONG => Value::bytes(WEEKDAYS[weekday].as_bytes()),
        SHORT => Value::bytes(short(WEEKDAYS[weekday]).as_bytes()),
        _ => Value::from(weekday as i64),
    }
}

pub fn jdmonthname(_cx: &mut Cx, julian_day: i64, mode: i64) -> PStr {
    let calendar = match mode {
        2 | 3 => Calendar::Julian,
        4 => Calendar::Jewish,
        5 => Calendar::French,
        _ => Calendar::Gregorian,
    };
    let name = month_name(calendar, calendar.to_date(julian_day));
    PStr::from(if matches!(mode, 1 | 3 | 4 | 5) { name } else { short(name) })
}

// ---- Unix time, Easter

/// Now, in seconds.
fn now_s() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.ok().and_then(|d| i64::try_from(d.as_secs()).ok()).unwrap_or(0)
}

pub fn unixtojd(cx: &mut Cx, timestamp: Option<i64>) -> Res<i64> {
    let timestamp = timestamp.unwrap_or_else(now_s);
    if timestamp < 0 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    Ok(UNIX_EPOCH + timestamp / DAY_S)
}

pub fn jdtounix(cx: &mut Cx, julian_day: i64) -> Res<i64> {
    let last = i64::MAX / DAY_S + UNIX_EPOCH;
    if !(UNIX_EPOCH..=last).contains(&julian_day) {
        return Err(cx.value_error(format_args!("jday must be between {UNIX_EPOCH} and {last}")));
    }
    Ok((julian_day - UNIX_EPOCH) * DAY_S)
}

/// The year of an Easter: the current one unless it is given.
fn easter_year(cx: &mut Cx, year: Option<i64>) -> Res<i64> {
    let year = match year {
        Some(year) => year,
        None => {
            let text = cx.call_builtin("date", &[Value::bytes(b"Y")])?;
            jumbo_value::convert::to_int(&text)
        }
    };
    // PHP's bound keeps year + year / 4 from overflowing.
    let last = i64::MAX / 5 * 4;
    if !(1..=last).contains(&year) {
        return Err(cx.arg_value_error(1, format_args!("must be between 1 and {last}")));
    }
    Ok(year)
}

pub fn easter_days(cx: &mut Cx, year: Option<i64>, mode: i64) -> Res<i64> {
    let year = easter_year(cx, year)?;
    Ok(days::easter(year, mode))
}

pub fn easter_date(cx: &mut Cx, year: Option<i64>, mode: i64) -> Res<i64> {
    let year = easter_year(cx, year)?;
    if year < 1970 {
        return Err(cx.arg_value_error(1, "must be a year after 1970 (inclusive)"));
    }
    if year > 2_000_000_000 {
        return Err(cx.arg_value_error(1, "must be a year before 2.000.000.000 (inclusive)"));
    }
    let day = 21 + days::easter(year, mode);
    let args = [0, 0, 0, 3, day, year].map(Value::from);
    cx.call_builtin("mktime", &args).map(|t| jumbo_value::convert::to_int(&t))
}
