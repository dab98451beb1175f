import { beforeAll, describe, expect, test } from "vitest";
import { CASES } from "./cases.ts";
import { pageOf } from "./make.ts";
import { NO_READER, type ReadPage, readPages } from "./read.ts";

const pages = new Map<string, ReadPage>();

describe.skipIf(NO_READER !== "")(`the page, read by html5lib${NO_READER}`, () => {
  beforeAll(async () => {
    const read = await readPages(CASES.map((one) => pageOf(one.books, one)));
    for (const [at, { name }] of CASES.entries()) {
      pages.set(name, read[at] as ReadPage);
    }
  });

  function pageNamed(name: string): ReadPage {
    return pages.get(name) as ReadPage;
  }

  describe.each(CASES)("$name", ({ name }) => {
    test("runs nothing, and asks nobody for anything", () => {
      const { elements, attributes } = pageNamed(name);
      const active = ["script", "link", "img", "iframe", "object", "embed", "form", "base", "svg:script", "svg:image"];
      expect(active.filter((element) => element in elements)).toEqual([]);
      expect(attributes.filter(([, key]) => /^on|^src|^style$|^ping$|href$/.test(key) && key !== "href")).toEqual([]);
      expect(attributes.filter(([, , value]) => /[a-z]+:\/\/|url\((?!#)|javascript:|@import/i.test(value))).toEqual([]);
    });

    test("links and names only what it has, once", () => {
      const { ids, attributes } = pageNamed(name);
      expect(new Set(ids).size).toBe(ids.length);
      const links = attributes.filter(([, key]) => key === "href").map(([, , value]) => value);
      const labels = attributes
        .filter(([, key]) => key === "aria-labelledby")
        .flatMap(([, , value]) => value.split(" "));
      const fills = attributes
        .filter(([, key]) => key === "fill")
        .map(([, , value]) => value.slice("url(#".length, -1));
      expect(links.every((link) => link.startsWith("#"))).toBe(true);
      const known = new Set(ids);
      const missing = [...links.map((link) => link.slice(1)), ...labels, ...fills].filter((id) => !known.has(id));
      expect(missing).toEqual([]);
    });

    test("has its landmarks, one title and 16 parts", () => {
      const { elements, lang, title } = pageNamed(name);
      expect(lang).toBe("en");
      const wanted = { html: 1, title: 1, style: 1, header: 1, nav: 1, main: 1, footer: 1, h1: 1, section: 15 };
      expect(elements).toMatchObject(wanted);
      expect(title).toContain("excl. funding");
    });

    test("says of every table what it is, and which cells are heads", () => {
      for (const { id, captions, rows } of pageNamed(name).tables) {
        expect([id, captions.length]).toEqual([id, 1]);
        const scopes = rows.flatMap(({ part, cells }) =>
          cells.flatMap((cell, at) => (cell.name === "th" || at === 0 ? [[part, cell.name, cell.scope]] : [])),
        );
        const heads = scopes.filter(([part]) => part === "thead");
        expect(heads.every(([, element, scope]) => element === "th" && /^col(group)?$/.test(scope ?? ""))).toBe(true);
        const others = scopes.filter(([part]) => part !== "thead");
        expect(others.every(([, element, scope]) => element === "th" && scope === "row")).toBe(true);
        const widths = new Set(rows.filter(({ part }) => part !== "thead").map(({ cells }) => cells.length));
        expect(widths.size).toBeLessThanOrEqual(1);
      }
    });

    test("describes every drawing, with its currency and what it leaves out", () => {
      const { drawings, tables } = pageNamed(name);
      const currencies = new Set(tables.flatMap(({ currency }) => (currency === null ? [] : [currency])));
      for (const { role, labelledby, texts } of drawings) {
        expect(role).toBe("img");
        const [title, description] = labelledby.map((id) => texts[id]);
        expect([title?.[0], description?.[0]]).toEqual(["svg:title", "svg:desc"]);
        expect(title?.[1]).toContain("excl. funding");
        expect([...currencies].some((currency) => title?.[1].includes(currency))).toBe(true);
        expect(description?.[1]).toMatch(/[Tt]able beneath/);
      }
      expect(drawings.length).toBe(pageNamed(name).elements["figure"] ?? 0);
    });

    test("tells of amounts only that they are excluding funding, or with the user's", () => {
      const { tables } = pageNamed(name);
      const silent = tables
        .filter(({ currency }) => currency !== null)
        .map(({ captions }) => captions.join(" "))
        .filter((caption) => !/excl\. funding|Position at the beginning|Fees carried/.test(caption));
      expect(silent).toEqual([]);
    });
  });

  test("an incomplete statement says so wherever one may look", () => {
    const page = pageNamed("an incomplete year");
    expect(page.title).toMatch(/^INCOMPLETE/);
    expect(page.text).toContain("INCOMPLETE. Do not file from this statement.");
    expect(page.text).toContain("1 stretch of time not read");
    expect(page.text).toContain("No fills were reported between 2015-01-01 and 2025-10-03.");
    expect(page.text).toContain("asked for in ranges of up to 87 days;");
    expect(page.text).toContain("INCOMPLETE-summary.csv".replace("summary", "exceptions"));
    const [traded] = CASES;
    expect(pageNamed(traded?.name ?? "").text).not.toContain("INCOMPLETE");
  });

  test("a year with nothing in it has all parts, and no drawing", () => {
    const page = pageNamed("a year with nothing in it");
    expect(page.drawings).toEqual([]);
    expect(page.text).toContain("There is nothing in this period: no fill, and no open position.");
    expect(page.text).toContain("Fills in the totals: 0. Fills in the completeness proof: 0. ✓ equal");
  });
});
