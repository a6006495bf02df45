//! strptime: a time read by a format, as the C library's locale writes it.

use jumbo_abi::{Cx, OrFalse, PArray, PStr, Value};

const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// Letters of a short name.
const SHORT: usize = 3;

/// What was read; fields that were not are 0.
#[derive(Default)]
struct Time {
    second: i64,
    minute: i64,
    hour: i64,
    day: i64,
    month: i64,
    /// Since 1900.
    year: i64,
    weekday: i64,
    yearday: i64,
    /// Which of two halves the hour is in, when it is one of 12.
    afternoon: Option<bool>,
    twelve_hours: bool,
    century: Option<i64>,
    has_day: bool,
    has_month: bool,
    has_weekday: bool,
    has_yearday: bool,
    has_year: bool,
}

/// The text that is left.
struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    fn spaces(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }

    /// A number of at most `digits` digits between two bounds.
    fn number(&mut self, digits: usize, (least, most): (i64, i64)) -> Option<i64> {
        self.spaces();
        let mut value = 0;
        let mut length = 0;
        while length < digits {
            let Some(digit) = self.0.get(length).filter(|byte| byte.is_ascii_digit()) else { break };
            value = value * 10 + i64::from(digit - b'0');
            length += 1;
        }
        if length == 0 || !(least..=most).contains(&value) {
            return None;
        }
        self.0 = &self.0[length..];
        Some(value)
    }

    /// One of some names, whole or short: its index.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let found = names.iter().enumerate().find_map(|(index, name)| {
            let starts = |length: usize| self.0.get(..length).is_some_and(|head| head.eq_ignore_ascii_case(&name.as_bytes()[..length]));
            let length = if starts(name.len()) { name.len() } else { SHORT.min(name.len()) };
            starts(length).then_some((index, length))
        });
        let (index, length) = found?;
        self.0 = &self.0[length..];
        Some(index as i64)
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }
}

impl Time {
    fn read(&mut self, text: &mut Reader<'_>, format: &[u8]) -> Option<()> {
        let mut format = format;
        while let Some((&byte, rest)) = format.split_first() {
            format = rest;
            if byte.is_ascii_whitespace() {
                text.spaces();
                continue;
            }
            if byte != b'%' {
                text.literal(byte)?;
                continue;
            }
            // Modifiers for other calendars and digits mean nothing here.
            let modifiers = format.iter().take_while(|byte| matches!(byte, b'E' | b'O' | b'_' | b'-' | b'0' | b'^' | b'#')).count();
            let (&letter, rest) = format[modifiers..].split_first()?;
            format = rest;
            self.conversion(text, letter)?;
        }
        Some(())
    }

    fn conversion(&mut self, text: &mut Reader<'_>, letter: u8) -> Option<()> {
        match letter {
            b'%' => text.literal(b'%')?,
            b'a' | b'A' => (self.weekday, self.has_weekday) = (text.name(&DAYS)?, true),
            b'b' | b'B' | b'h' => (self.month, self.has_month) = (text.name(&MONTHS)?, true),
            b'c' => self.read(text, b"%a %b %e %H:%M:%S %Y")?,
            b'C' => self.century = Some(text.number(2, (0, 99))?),
            b'd' | b'e' => (self.day, self.has_day) = (text.number(2, (1, 31))?, true),
            b'D' | b'x' => self.read(text, b"%m/%d/%y")?,
            b'F' => self.read(text, b"%Y-%m-%d")?,
            b'H' | b'k' => (self.hour, self.twelve_hours) = (text.number(2, (0, 23))?, false),
            b'I' | b'l' => (self.hour, self.twelve_hours) = (text.number(2, (1, 12))? % 12, true),
            b'j' => (self.yearday, self.has_yearday) = (text.number(3, (1, 366))? - 1, true),
            b'm' => (self.month, self.has_month) = (text.number(2, (1, 12))? - 1, true),
            b'M' => self.minute = text.number(2, (0, 59))?,
            b'n' | b't' => text.spaces(),
            b'p' | b'P' => {
                self.afternoon = Some(match text.0.get(..2)?.to_ascii_lowercase().as_slice() {
                    b"am" => false,
                    b"pm" => true,
                    _ => return None,
                });
                text.0 = &text.0[2..];
            }
            b'r' => self.read(text, b"%I:%M:%S %p")?,
            b'R' => self.read(text, b"%H:%M")?,
            b'S' => self.second = text.number(2, (0, 61))?,
            b'T' | b'X' => self.read(text, b"%H:%M:%S")?,
            b'u' => (self.weekday, self.has_weekday) = (text.number(1, (1, 7))? % 7, true),
            b'w' => (self.weekday, self.has_weekday) = (text.number(1, (0, 6))?, true),
            b'U' | b'V' | b'W' => {
                text.number(2, (0, 53))?;
            }
            b'g' => {
                text.number(2, (0, 99))?;
            }
            b'G' => {
                text.number(4, (0, 9999))?;
            }
            b'y' => {
                let year = text.number(2, (0, 99))?;
                (self.year, self.has_year) = (if year >= 69 { year } else { year + 100 }, true);
            }
            b'Y' => (self.year, self.has_year) = (text.number(4, (0, 9999))? - 1900, true),
            // A zone's name is passed over.
            b'Z' => {
                let letters = text.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                text.0 = &text.0[letters..];
            }
            _ => return None,
        }
        Some(())
    }

    /// What follows from what was read.
    fn complete(&mut self) {
        if self.twelve_hours && self.afternoon == Some(true) {
            self.hour += 12;
        }
        if let Some(century) = self.century {
            self.year = if self.has_year { century * 100 - 1900 + self.year % 100 } else { century * 100 - 1900 };
        }
        if (self.has_month || self.has_day || self.has_year) && !self.has_yearday {
            let year = self.year + 1900;
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
            let month = usize::try_from(self.month).ok().and_then(|month| BEFORE.get(month)).copied().unwrap_or(0);
            let day = if self.has_day { self.day } else { 1 };
            if self.has_day || self.has_month {
                self.yearday = month + i64::from(is_leap && self.month > 1) + day - 1;
            }
            if !self.has_weekday && self.has_day {
                // 1 January 1900 was a Monday.
                let years = self.year;
                let leaps = (year - 1).div_euclid(4) - (year - 1).div_euclid(100) + (year - 1).div_euclid(400) - 460;
                self.weekday = (1 + years * 365 + leaps + self.yearday).rem_euclid(7);
            }
        }
    }
}

pub fn strptime(_cx: &mut Cx, timestamp: &PStr, format: &PStr) -> OrFalse<PArray> {
    let mut time = Time::default();
    let mut text = Reader(timestamp.as_bytes());
    if time.read(&mut text, format.as_bytes()).is_none() {
        return OrFalse::FALSE;
    }
    time.complete();
    let mut array = PArray::new();
    for (name, value) in [
        ("tm_sec", time.second),
        ("tm_min", time.minute),
        ("tm_hour", time.hour),
        ("tm_mday", time.day),
        ("tm_mon", time.month),
        ("tm_year", time.year),
        ("tm_wday", time.weekday),
        ("tm_yday", time.yearday),
    ] {
        array.set_bytes(name.as_bytes(), Value::from(value));
    }
    array.set_bytes(b"unparsed", PStr::new(text.0));
    OrFalse(Some(array))
}
