import { describe, expect, test } from "vitest";
import { steadyPage, steadyText } from "./steady-text.ts";
import { terminalSvg } from "./terminal-svg.ts";

const linesIn = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, line]) => line);

describe("the terminal's picture", () => {
  test("has every line, escaped, and breaks lines that are longer than a terminal's width", () => {
    const svg = terminalSvg(`$ one <a> & "b"\n${"x".repeat(150)}\nend`, "A run");
    expect(linesIn(svg)).toEqual(["$ one &lt;a&gt; &amp; &quot;b&quot;", "x".repeat(100), "x".repeat(50), "end"]);
  });

  test("shows its last line without motion, and scrolls there through every line", () => {
    const svg = terminalSvg(Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n"), "A run");
    const shifts = [...svg.matchAll(/%\{transform:translateY\(-?(\d+)px\)\}/g)].map(([, px]) => Number(px) / 18);
    expect(shifts).toEqual([...Array.from({ length: 15 }, (_, at) => at), 14]);
    expect(svg).toContain("#s{transform:translateY(-252px)}");
    expect(svg).not.toContain("<script");
  });
});

test("folders, ports and times are replaced by fixed ones", () => {
  const said =
    "main in /tree/of/mine/demo-out\nlistening on http://127.0.0.1:43671\nended 2026-11-26T01:17:42.850Z, 2026-11-26 02:37 UTC, 2025-03-01";
  expect(steadyText(said, "/tree/of/mine", "2026-11-26")).toBe(
    "main in demo-out\nlistening on http://127.0.0.1:8080\nended 2026-02-01T09:00:00.000Z, 2026-02-01 09:00 UTC, 2025-03-01",
  );
});

test("a page's times, ages and user are replaced by fixed ones", () => {
  const said = "<b>zoe</b> since (327 days 21 hours). Last run\n26 Nov 2026 02:35 UTC. Complete up to 2 Jan 2026";
  expect(steadyPage(said, "zoe")).toBe(
    "<b>ann</b> since (30 days). Last run\n1 Feb 2026 09:00 UTC. Complete up to 2 Jan 2026",
  );
});
