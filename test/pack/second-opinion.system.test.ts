import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";

test("the same archive and settings give the same bytes on machines in Tokyo and New York", () => {
  const [tokyo, newYork] = ["Asia/Tokyo", "America/New_York"].map((zone) => {
    const environment = { ...process.env, TZ: zone, LANG: "de_DE.UTF-8" };
    return execFileSync(process.execPath, [join(import.meta.dirname, "pack-of-a-year.ts")], { env: environment });
  });
  expect(String(tokyo).split("\n").length).toBeGreaterThan(25);
  expect(String(tokyo)).toBe(String(newYork));
});
