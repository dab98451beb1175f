import { describe, expect, test } from "vitest";
import { type Deployed, firstWalk, largePack, monthlyCost, total, type Use } from "../../infra/deploy/cost.ts";

// Every expected amount is calculated by hand. The comment beside it shows the calculation from list prices.

const ONE: Deployed = {
  accounts: 1,
  keys: 1,
  alarmMetrics: 11,
  customMetrics: 9,
  dashboards: 1,
  logRetentionDays: 400,
  hasPage: false,
};
const YEAR: Use = { fillsAMonth: 2000, months: 12, queriesAMonth: 20, pageUsers: 5 };

function amounts(deployed: Deployed, use: Use): Readonly<Record<string, string>> {
  return Object.fromEntries(monthlyCost(deployed, use).map(({ what, usd }) => [what, usd.toFixed()]));
}

describe("a month", () => {
  test("of one account with 2,000 fills a month, after a year", () => {
    expect(amounts(ONE, YEAR)).toEqual({
      tokens: "0.40015", // $0.40 + 30 reads × $0.05 / 10,000
      function: "0.00415211448046875", // 30 × 6 s × 1769 / 1024 GB × $0.0000133334 = 0.00414611448046875; 30 × $0.0000002
      "state machines": "0.00525", // 30 runs × (4 + 3) × $0.000025
      "store, requests": "0.0024062", // (30 × 14 + 2,000 × 0.00182) writes × $0.000005 + 30 × 24 reads × $0.0000004
      "store, kept": "0.001704024", // (24,000 fills × (170 + 96 + 2,196) bytes + 15 MB) = 0.074088 GB × $0.023
      logs: "0.000081", // 30 × 3,000 bytes = 0.00009 GB × $0.50; 400 / 30 months of it × $0.03
      alarms: "1.1", // 11 × $0.10
      metrics: "2.7", // 9 × $0.30
      dashboard: "3",
      keys: "1",
      queries: "0.000408", // 20 × 24,000 × 170 bytes = 0.0000816 TB × $5
    });
    // 7.8 for the fixed resources, 0.40015 for the token, and 0.00415211448046875 + 0.00525 + 0.0024062 +
    // 0.001704024 + 0.000081 + 0.000408.
    expect(total(monthlyCost(ONE, YEAR)).toFixed()).toBe("8.21415133848046875");
  });

  test("of a thousand accounts has the same fixed cost, and a thousand times the rest, to the last digit", () => {
    const one = amounts(ONE, YEAR);
    const thousand = amounts({ ...ONE, accounts: 1000 }, YEAR);
    for (const shared of ["alarms", "metrics", "dashboard", "keys"]) {
      expect(thousand[shared]).toBe(one[shared]);
    }
    expect(thousand["tokens"]).toBe("400.15"); // 1,000 × $0.40 + 30,000 × $0.000005
    expect(thousand["state machines"]).toBe("5.25");
    expect(thousand["store, kept"]).toBe("1.704024");
    expect(thousand["function"]).toBe("4.15211448046875");
  });

  test("with the page adds the cost of its users and their views, and nothing without users", () => {
    const { "page, users": users, "page, views": views, ...others } = amounts({ ...ONE, hasPage: true }, YEAR);
    expect(others).toEqual(amounts(ONE, YEAR));
    expect(users).toBe("0.075"); // 5 × $0.015
    // 1,000 views and 2,250 status requests: 3,250 × ($0.000001 + $0.0000001 + $0.000001 + $0.0000002) =
    // 0.007475; 1,000 × 0.5 s × 0.5 GB × $0.0000133334 = 0.00333335 and 2,250 × 0.1 s × 0.5 GB × the same =
    // 0.0015000075; 25,000 + 4,500 reads × $0.0000004 = 0.0118; 20,000 lists × $0.000005 = 0.1; 8.125 MB =
    // 0.008125 GB × $0.50 = 0.0040625
    expect(views).toBe("0.1281708575");
    expect(amounts({ ...ONE, hasPage: true }, { ...YEAR, pageUsers: 0 })["page, views"]).toBe("0");
  });
});

describe("a first walk", () => {
  test("of a million fills at 10 requests a second", () => {
    const walk = firstWalk(1_000_000, 10);
    expect(walk).toMatchObject({ requests: 10_500, seconds: 1050, slices: 2 }); // 1,050 / 840 = 1.25
    expect(Object.fromEntries(walk.lines.map(({ what, usd }) => [what, usd.toFixed()]))).toEqual({
      function: "0.024186067802734375", // 1,050 × 1769 / 1024 × $0.0000133334 = 0.024185667802734375; 2 × $0.0000002
      "state machine": "0.000275", // (2 × 4 + 3) × $0.000025
      "store, requests": "0.0091", // 1,820 × $0.000005
      logs: "0.000007375", // 2 × 3,000 + 17.5 minutes × 500 = 14,750 bytes × $0.50 a GB
    });
  });
});

describe("a large pack", () => {
  test("of 100 million fills", () => {
    const pack = largePack(100_000_000);
    expect(pack.seconds).toBe(7600); // × 76 µs
    expect(Object.fromEntries(pack.lines.map(({ what, usd }) => [what, usd.toDecimalPlaces(12).toFixed()]))).toEqual({
      task: "0.166777777778", // 7,600 / 3,600 h × (2 × $0.03238 + 4 × $0.00356) = 2.1111… × $0.079
      address: "0.010555555556", // 2.1111… × $0.005
      "state machine": "0.000275", // 11 × $0.000025
      "store, requests": "0.20984", // 219.6 GB / 5 MiB = 41,886 parts, and 41 × 2: 41,968 × $0.000005
    });
  });

  test("of few fills costs a minute", () => {
    expect(largePack(1).seconds).toBe(60);
  });
});
