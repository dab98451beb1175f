import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { customPeriod, localTime, monthsOf, parsePeriod, parseTime } from "../../lambda/core/period.ts";
import { listPeriods, listTaxYears, takenFor } from "../../lambda/core/period-name.ts";
import { isKeySegment } from "../../lambda/storage/keys.ts";
import { refusal } from "../support/refusal.ts";

const minutes = (ms: number) => new Date(ms).toISOString().replace(":00.000Z", "Z");

/** The zone's clocks by another implementation: ICU, through Intl. */
function wallClock(ms: number, zone: string): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  return format.format(ms).replace(" ", "T");
}

describe("tax periods", () => {
  // The examples of the accounting reference, section 7, which were computed by another program.
  test.each([
    ["us-2025", "2025-01-01T05:00Z", "2026-01-01T05:00Z", "2025-01-01", "2025-12-31"],
    ["uk-2025-26", "2025-04-05T23:00Z", "2026-04-05T23:00Z", "2025-04-06", "2026-04-05"],
    ["de-2025", "2024-12-31T23:00Z", "2025-12-31T23:00Z", "2025-01-01", "2025-12-31"],
    ["au-2025-26", "2025-06-30T14:00Z", "2026-06-30T14:00Z", "2025-07-01", "2026-06-30"],
    ["in-2025-26", "2025-03-31T18:30Z", "2026-03-31T18:30Z", "2025-04-01", "2026-03-31"],
    ["jp-2025", "2024-12-31T15:00Z", "2025-12-31T15:00Z", "2025-01-01", "2025-12-31"],
    ["nz-2025-26", "2025-03-31T11:00Z", "2026-03-31T11:00Z", "2025-04-01", "2026-03-31"],
    ["za-2025-26", "2025-02-28T22:00Z", "2026-02-28T22:00Z", "2025-03-01", "2026-02-28"],
    // A leap day, and a tax year that ends on it.
    ["month-2024-02", "2024-02-01T00:00Z", "2024-03-01T00:00Z", "2024-02-01", "2024-02-29"],
    ["za-2023-24", "2023-02-28T22:00Z", "2024-02-29T22:00Z", "2023-03-01", "2024-02-29"],
    ["year-2025-07-01", "2025-07-01T00:00Z", "2026-07-01T00:00Z", "2025-07-01", "2026-06-30"],
    ["year-2024-02-28", "2024-02-28T00:00Z", "2025-02-28T00:00Z", "2024-02-28", "2025-02-27"],
  ])("%s", (name, from, to, firstDay, lastDay) => {
    const period = parsePeriod(name);
    expect([minutes(period.from), minutes(period.to)]).toEqual([from, to]);
    expect(period).toMatchObject({ name, firstDay, lastDay });
  });

  // Tax years that span two calendar years, named by one year as the tax authority of the country names them.
  test.each([
    // ITA 2007, s. 4(4): 2007-08 begins on 6 April 2007. HMRC's form SA100 "Tax Return (2024)" is for
    // 2023-24.
    ["uk-2025", "uk-2024-25", "6 April 2024 to 5 April 2025 (Europe/London)"],
    // ato.gov.au, "Individual tax return instructions 2025": "paper tax return for individuals 2024–25".
    ["au-2025", "au-2024-25", "1 July 2024 to 30 June 2025 (Australia/Sydney)"],
    // ird.govt.nz, "What happens at the end of the tax year": 1 April to 31 March; myob.com/nz, "2025 tax
    // compliance changes": 2025 tax year.
    ["nz-2025", "nz-2024-25", "1 April 2024 to 31 March 2025 (Pacific/Auckland)"],
    // sars.gov.za, "Rates of Tax for Individuals": 2024 tax year (1 March 2023 – 29 February 2024).
    ["za-2024", "za-2023-24", "1 March 2023 to 29 February 2024 (Africa/Johannesburg)"],
    // incometax.gov.in: financial year 2024-25 is assessed in 2025-26.
    ["in-2025", "in-2024-25", "1 April 2024 to 31 March 2025 (Asia/Kolkata)"],
    // info.gov.hk, "Inland Revenue Department issues tax returns for individuals", 2 May 2025: year of
    // assessment 2024/25.
    ["hk-2025", "hk-2024-25", "1 April 2024 to 31 March 2025 (Asia/Hong_Kong)"],
    ["hk-2000", "hk-1999-00", "1 April 1999 to 31 March 2000 (Asia/Hong_Kong)"],
  ])("%s is %s", (single, name, days) => {
    expect(parsePeriod(single)).toEqual(parsePeriod(name));
    expect(parsePeriod(single).name).toBe(name);
    expect(takenFor(single)).toBe(`${single} is ${name}: ${days}`);
    expect(takenFor(name)).toBe(`${name}: ${days}`);
  });

  test("name the days of other kinds of period, and of another zone", () => {
    expect(takenFor("sg-2025")).toBe("sg-2025: 1 January 2025 to 31 December 2025 (Asia/Singapore)");
    expect(takenFor("month-2024-02")).toBe("month-2024-02: 1 February 2024 to 29 February 2024 (UTC)");
    expect(takenFor("au-2025", "Australia/Perth")).toBe(
      "au-2025 is au-2024-25: 1 July 2024 to 30 June 2025 (Australia/Perth)",
    );
  });

  test("begin and end at midnight by Intl's clocks, and parse from their own name", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2200 }), fc.nat(), (year, at) => {
        const kinds = listPeriods(year);
        const { name, pattern, firstDay, lastDay, zone } = kinds[at % kinds.length] ?? expect.fail("there are kinds");
        const period = parsePeriod(name);
        expect(period).toMatchObject({ firstDay, lastDay, zone });
        expect(wallClock(period.from, period.zone)).toBe(`${period.firstDay}T00:00:00`);
        expect(wallClock(period.to - 1000, period.zone)).toBe(`${period.lastDay}T23:59:59`);
        expect(period.name.replaceAll(/\d/g, "0")).toBe(pattern.replaceAll(/[YMD]/g, "0"));
        expect(isKeySegment(period.name)).toBe(true);
        expect(parsePeriod(period.name)).toEqual(period);
      }),
    );
  });

  test("of one country have no gaps, no overlaps and unique names", () => {
    const years = Array.from({ length: 231 }, (_, at) => listTaxYears(1970 + at).map(({ name }) => parsePeriod(name)));
    for (const [at, country] of (years[0] ?? []).entries()) {
      const own = years.map((all) => all[at] ?? country);
      expect(own.slice(1).map(({ from }) => from)).toEqual(own.slice(0, -1).map(({ to }) => to));
      expect(own.map(({ lastDay }) => lastDay.slice(0, 4))).toEqual(own.map((_, index) => String(1970 + index)));
      expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
    }
  });

  test("from any day last twelve months, and the next begins where one ends", () => {
    const day = fc.date({ min: new Date("1970-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const first = date.toISOString().slice(0, 10);
        fc.pre(!first.endsWith("-02-29"));
        const { from, to } = parsePeriod(`year-${first}`);
        const next = `${Number(first.slice(0, 4)) + 1}${first.slice(4)}`;
        expect([from, to]).toEqual([Date.parse(first), Date.parse(next)]);
        expect(parsePeriod(`year-${next}`).from).toBe(to);
      }),
    );
  });

  test("cannot begin on 29 February, which the next year does not have", () => {
    expect(refusal(() => parsePeriod("year-2024-02-29"))).toMatchObject({
      kind: "usage",
      message: '"year-2024-02-29" begins on a day that does not exist in the next year',
      hint: expect.stringContaining("--from"),
    });
  });

  test("accept another zone, and then have another name", () => {
    const period = parsePeriod("us-2025", "America/Los_Angeles");
    expect(minutes(period.from)).toBe("2025-01-01T08:00Z");
    expect(period.name).toBe("us-2025-America_Los_Angeles");
    expect(parsePeriod("us-2025", "America/New_York").name).toBe("us-2025");
    const names = ["Etc/GMT+5", "Etc/GMT-5", "+05:30", "-05:30", "UTC"].map(
      (zone) => parsePeriod("us-2025", zone).name,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !isKeySegment(name))).toEqual([]);
  });

  test.each([
    ..."2025 us-2025-01 US-2025 xx-2025 month-2025 month-2025-13 year-2025 year-2025-02-30".split(" "),
    ..."constructor-2025 us-1969 us-2201 us-2025/.. us-2025-26 uk-2024-25-26 uk-2024-25-".split(" "),
    "",
  ])("%j is refused, with what to type", (name) => {
    const error = refusal(() => parsePeriod(name));
    expect(error.kind).toBe("usage");
    expect(error.message).toContain(JSON.stringify(name));
    expect(error.hint).toMatch(/us-2025|^did you mean /);
  });

  test.each([
    // HMRC's interfaces: "The range must not be greater than a single year. For example, 2023-25 is not
    // valid."
    ["uk-2023-25", "the tax year that begins on 2023-04-06 is uk-2023-24"],
    ["uk-2024-24", "the tax year that begins on 2024-04-06 is uk-2024-25"],
    ["uk-2024-2025", "the tax year that begins on 2024-04-06 is uk-2024-25"],
    ["hk-2024/25", "the tax year that begins on 2024-04-01 is hk-2024-25"],
    ["au-1999-01", "the tax year that begins on 1999-07-01 is au-1999-00"],
    ["us-2024-25", "the tax year that begins on 2024-01-01 is us-2024"],
    ["calendar-2024-25", "the tax year that begins on 2024-01-01 is calendar-2024"],
  ])("%s is refused, with the tax year that begins then", (name, hint) => {
    const error = refusal(() => parsePeriod(name));
    expect(error).toMatchObject({ kind: "usage", message: `not a period: ${JSON.stringify(name)}` });
    expect(error.hint).toContain(hint);
  });

  test.each(["uk-1968-69", "uk-1969", "uk-2200-01", "uk-2201", "uk-2200-02"])("%s is out of range", (name) => {
    expect(refusal(() => parsePeriod(name))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("is out of range: years go from 1970 to 2200"),
    });
  });

  // The zones are those that IANA's zone.tab lists for the country. If it lists several, the most populous
  // one.
  const CALENDAR = {
    ...{ br: "America/Sao_Paulo", mx: "America/Mexico_City", pt: "Europe/Lisbon", pl: "Europe/Warsaw" },
    ...{ se: "Europe/Stockholm", no: "Europe/Oslo", dk: "Europe/Copenhagen", fi: "Europe/Helsinki" },
    ...{ be: "Europe/Brussels", kr: "Asia/Seoul", tr: "Europe/Istanbul", il: "Asia/Jerusalem", ae: "Asia/Dubai" },
  };
  test.each(Object.entries(CALENDAR))("%s is the calendar year in %s", (code, zone) => {
    expect(parsePeriod(`${code}-2025`)).toMatchObject({ zone, firstDay: "2025-01-01", lastDay: "2025-12-31" });
  });

  test.each(["Mars/Olympus", "", "London"])("%j is not a zone", (zone) => {
    expect(refusal(() => parsePeriod("us-2025", zone))).toMatchObject({ kind: "usage" });
  });
});

describe("custom periods", () => {
  test("a date is its first instant: Cairo skipped midnight on 25 April 2025", () => {
    const period = customPeriod("2025-04-25", "2025-04-26", "Africa/Cairo");
    expect(minutes(period.from)).toBe("2025-04-24T22:00Z");
    expect(wallClock(period.from, "Africa/Cairo")).toBe("2025-04-25T01:00:00");
    expect(wallClock(period.from - 1000, "Africa/Cairo")).toBe("2025-04-24T23:59:59");
    expect(period.to - period.from).toBe(23 * 3_600_000);
    expect(period.name).toBe("custom-2025-04-25-2025-04-26-Africa_Cairo");
  });

  test("date-times carry their offset, whatever the zone", () => {
    const period = customPeriod("2025-01-01T00:00:00+02:00", "2025-01-01T00:00:00.500Z", "Asia/Tokyo");
    expect([period.from, period.to]).toEqual([Date.UTC(2024, 11, 31, 22), Date.UTC(2025, 0, 1, 0, 0, 0, 500)]);
    expect(period.name).toBe("custom-20241231T220000.000Z-20250101T000000.500Z-Asia_Tokyo");
    expect(isKeySegment(period.name)).toBe(true);
  });

  test.each([
    ["2025-02-01", "2025-02-01"],
    ["2025-02-30", "2025-03-01"],
    ["2025-01-01T00:00:00", "2025-02-01"],
    ["2025-01-01", "2201-01-01"],
    ["2025-01-01", "+020250-01-01"],
    ["", "2025-02-01"],
  ])("from %j to %j is refused", (from, to) => {
    expect(refusal(() => customPeriod(from, to))).toMatchObject({ kind: "usage", hint: expect.any(String) });
  });

  test("times are read to the millisecond", () => {
    expect(parseTime("2025-03-01T12:34:56.789Z", "UTC")).toBe(Date.parse("2025-03-01T12:34:56.789Z"));
    expect(parseTime("2025-03-01T12:34-05:00", "UTC")).toBe(Date.parse("2025-03-01T12:34:00-05:00"));
  });
});

describe("the months of a period", () => {
  test("follow each other without a gap, add up to the period, and stay within one calendar month", () => {
    const zones = ["UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo"];
    const time = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), time, fc.integer({ min: 1, max: 1e11 }), (zone, from, width) => {
        const to = from + width;
        const months = monthsOf({ from, to, zone });
        expect([from, ...months.map((month) => month.to)]).toEqual([...months.map((month) => month.from), to]);
        for (const month of months) {
          expect([month.from, month.to - 1].map((ms) => wallClock(ms, zone).slice(0, 7))).toEqual([
            month.name,
            month.name,
          ]);
        }
        expect(new Set(months.map(({ name }) => name)).size).toBe(months.length);
      }),
    );
  });

  test("do not begin with a piece of the month before if clocks go back over midnight", () => {
    // St. John's, 1 November 2009: at 00:01 the clocks went back to 23:01 of 31 October.
    const from = Date.UTC(2009, 10, 1, 2, 45);
    const zone = "America/St_Johns";
    expect([wallClock(from, zone), wallClock(Date.UTC(2009, 10, 1, 2, 30), zone)]).toEqual([
      "2009-10-31T23:15:00",
      "2009-11-01T00:00:00",
    ]);
    expect(monthsOf({ from, to: Date.UTC(2009, 11, 15), zone }).map(({ name }) => name)).toEqual([
      "2009-11",
      "2009-12",
    ]);
  });
});

test("an instant is shown as the zone's clocks show it, with its offset", () => {
  expect(localTime(Date.UTC(2025, 3, 5, 23), "Europe/London")).toBe("2025-04-06T00:00:00.000+01:00");
  expect(localTime(0, "UTC")).toBe("1970-01-01T00:00:00.000+00:00");
});
