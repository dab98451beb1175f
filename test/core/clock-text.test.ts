import { expect, test } from "vitest";
import { clockText } from "../../lambda/core/period.ts";

test.each([
  ["2025-01-01T05:00:00.000Z", "America/New_York", "2025-01-01 00:00 (America/New_York)"],
  ["2025-07-01T04:00:00.000Z", "America/New_York", "2025-07-01 00:00 (America/New_York)"],
  ["2025-01-01T00:00:00.000Z", "Asia/Kathmandu", "2025-01-01 05:45 (Asia/Kathmandu)"],
  ["2025-01-01T00:00:07.000Z", "UTC", "2025-01-01 00:00:07 (UTC)"],
  ["2025-01-01T00:00:00.070Z", "UTC", "2025-01-01 00:00:00.070 (UTC)"],
])("%s is the time in %s, with ms unless they are 0", (time, zone, text) => {
  expect(clockText(Date.parse(time), zone)).toBe(text);
});
