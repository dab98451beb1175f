import { describe, expect, test } from "vitest";
import { FillbookError } from "../../../lambda/core/errors.ts";
import { ACCOUNT_ROUTES, FOLDER, fakePorts, pathOf, testedSite, VERSION } from "./fake-site.ts";
import { readable } from "./uploads.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;
const SEND_IT = "If somebody else runs fillbook for you, send them this message.";

function siteWith(damage: Readonly<Record<string, string>>) {
  const ports = fakePorts();
  for (const [key, text] of Object.entries(damage)) {
    ports.store.put(key, Buffer.from(text));
  }
  return testedSite(ports);
}

describe("pages of a damaged account say what is damaged, where, and what to do", () => {
  const head = { "main/head.json": "<b>{" };
  const claim = { [`${FOLDER}/completeness.json`]: "{}" };
  const report = { [`${FOLDER}/report.html`]: '<p><a href="/a/main">x</a></p>' };

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["/a/main/make", head, "memory/main/head.json is not a head"],
    [`${PACK}/zip`, claim, `memory/${FOLDER}/completeness.json is damaged`],
    [`${PACK}/report`, report, `memory/${FOLDER}/report.html is damaged`],
  ])("%s, %j", async (target, damage, what) => {
    const { ask, refusals, problems } = siteWith(damage);
    const { status, body } = await ask(target);
    const text = readable(body);
    for (const says of ["This page cannot be shown", what, "restore the", SEND_IT]) {
      expect([status, text]).toEqual([500, expect.stringContaining(says)]);
    }
    expect(body).toContain('href="/a/main"><span>Back to account');
    expect(refusals).toMatchObject([{ user: "ann", status: 500, why: expect.stringContaining(what) }]);
    expect(problems).toEqual([]);
  });

  test("the account's own page leads to all accounts, not to itself", async () => {
    const { body } = await siteWith(head).ask("/a/main");
    expect(readable(body)).toContain("This account cannot be read");
    expect(body).toContain('href="/">Go to your accounts<');
    expect(body).not.toContain("Back to account");
  });
});

describe("whatever a route reads first", () => {
  const damage = new FillbookError("untrusted", "memory/main/x is damaged", { hint: "check the archive" });

  test.each(ACCOUNT_ROUTES)("$method $pattern never says that something went wrong", async ({ pattern, method }) => {
    const ports = fakePorts();
    const broken = new Proxy(ports.store, {
      get: () => () => {
        throw damage;
      },
    });
    const { ask, post } = testedSite({
      ...ports,
      storesOf: (account) => ({ account, store: broken, packs: broken }),
    });
    const path = pathOf(pattern);
    const fields = { kind: "export", period: "us-2025", name: "funding.csv" };
    const { status, body } = await (method === "POST" ? post(path, fields) : ask(path));
    expect(body).not.toContain("Something went wrong");
    if (status === 500) {
      expect(readable(body)).toContain("memory/main/x is damaged. Check the archive.");
    }
  });

  test("nobody but users of the account learns of it", async () => {
    const ports = fakePorts();
    const { ask, problems } = testedSite({ ...ports, accounts: () => Promise.reject(damage) });
    for (const target of ["/", "/a/other"]) {
      const { status, body } = await ask(target);
      expect([status, body]).toEqual([target === "/" ? 500 : 404, expect.not.stringContaining("damaged")]);
    }
    expect(problems).toEqual([damage]);
  });
});
