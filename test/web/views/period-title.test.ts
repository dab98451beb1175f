import { describe, expect, test } from "vitest";
import { periodDays, periodTitle, periodTitleText } from "../../../lambda/web/views/period-title.ts";

describe("a period has the name that people use", () => {
  test.each([
    ["us-2025", "US tax year 2025", "1 Jan 2025 – 31 Dec 2025"],
    ["uk-2025-26", "UK tax year 2025/26", "6 Apr 2025 – 5 Apr 2026"],
    ["de-2024", "Germany tax year 2024", "1 Jan 2024 – 31 Dec 2024"],
    ["au-2024-25", "Australia tax year 2024/25", "1 Jul 2024 – 30 Jun 2025"],
    ["us-2025-Europe_London", "US tax year 2025, Europe/London", "1 Jan 2025 – 31 Dec 2025"],
    ["calendar-2025", "Calendar year 2025", "1 Jan 2025 – 31 Dec 2025"],
    ["month-2024-02", "February 2024", "1 Feb 2024 – 29 Feb 2024"],
    ["year-2025-07-01", "Twelve months 1 Jul 2025 – 30 Jun 2026", "1 Jul 2025 – 30 Jun 2026"],
    ["custom-2025-01-15-2025-02-01", "15 Jan 2025 – 31 Jan 2025", "15 Jan 2025 – 31 Jan 2025"],
  ])("%s", (name, title, days) => {
    expect([periodTitleText(name), periodTitle(name).markup, periodDays(name)]).toEqual([title, title, days]);
  });

  test.each(["", "x", "us-2025x", "<b>", "custom-20250101T120000.000Z-2025-02-01", "month-2025-13"])(
    "%j, which names no days, is unchanged",
    (name) => {
      expect([periodTitleText(name), periodDays(name)]).toEqual([name, null]);
      expect(periodTitle(name).markup).toMatch(/^<bdi>/);
    },
  );
});
