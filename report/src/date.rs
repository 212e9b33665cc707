//! When a report was made: day and time in UTC, from the seconds since 1970.
//!
//! The calendar is the Gregorian one, without leap seconds, as the clocks of operating systems count.

use std::time::{SystemTime, UNIX_EPOCH};

const MONTHS: [(&str, u64); 12] = [
    ("January", 31),
    ("February", 28),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

/// Days in 400 years, after which the calendar repeats itself.
const DAYS_OF_400_YEARS: u64 = 400 * 365 + 97;

/// Now, for people: `22 November 2026, 10:47 UTC`. A clock that stands before 1970 counts as 1970.
pub fn now() -> String {
    utc(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// A moment in seconds since the start of 1970, UTC, for people: `1 January 1970, 00:00 UTC`.
pub fn utc(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{day} {month} {year}, {:02}:{:02} UTC", of_day / 3600, of_day % 3600 / 60)
}

/// Year, month and day of month, from 1, of a day that is counted from 1 January 1970.
fn civil(days: u64) -> (u64, &'static str, u64) {
    let mut year = 1970 + days / DAYS_OF_400_YEARS * 400;
    let mut left = days % DAYS_OF_400_YEARS;
    while left >= 365 + leap_day(year) {
        left -= 365 + leap_day(year);
        year += 1;
    }
    let lengths = MONTHS.map(|(name, length)| if name == "February" { length + leap_day(year) } else { length });
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    (year, MONTHS[month].0, left + 1)
}

/// 1 in leap years, else 0.
fn leap_day(year: u64) -> u64 {
    u64::from(year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_have_their_dates() {
        for (seconds, date) in [
            (0, "1 January 1970, 00:00 UTC"),
            (86_399, "1 January 1970, 23:59 UTC"),
            (68_169_600, "29 February 1972, 00:00 UTC"),
            (68_256_000, "1 March 1972, 00:00 UTC"),
            (951_782_400, "29 February 2000, 00:00 UTC"),
            (1_000_000_000, "9 September 2001, 01:46 UTC"),
            (1_234_567_890, "13 February 2009, 23:31 UTC"),
            (2_147_483_647, "19 January 2038, 03:14 UTC"),
            (4_107_542_399, "28 February 2100, 23:59 UTC"),
            (4_107_542_400, "1 March 2100, 00:00 UTC"),
            (253_402_300_799, "31 December 9999, 23:59 UTC"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn every_day_of_400_years_follows_the_one_before() {
        let mut before = civil(0);
        for day in 1..=DAYS_OF_400_YEARS {
            let now = civil(day);
            let (year, month, of_month) = before;
            let at = MONTHS.iter().position(|m| m.0 == month).unwrap();
            let follows = now == (year, month, of_month + 1)
                || (now == (year, MONTHS[(at + 1) % 12].0, 1) && at < 11 && of_month >= MONTHS[at].1)
                || (now == (year + 1, "January", 1) && (month, of_month) == ("December", 31));
            assert!(follows, "{before:?}, {now:?}");
            before = now;
        }
        assert_eq!(before, (2370, "January", 1), "the calendar repeats itself");
        assert!(utc(u64::MAX).ends_with("UTC"));
    }
}
