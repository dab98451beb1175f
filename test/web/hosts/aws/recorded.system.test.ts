import { expect, test } from "vitest";
import { customPeriod } from "../../../../lambda/core/period.ts";
import { DAY_MS } from "../../../../lambda/core/time.ts";
import { exportPack } from "../../../../lambda/job/export-pack.ts";
import { syncArchive } from "../../../../lambda/job/sync-archive.ts";
import { noteCheck } from "../../../../lambda/pack/make/checks.ts";
import { viewArchive } from "../../../../lambda/web/data/archives.ts";
import { recentDownloads } from "../../../../lambda/web/data/downloads.ts";
import { packPeriods } from "../../../../lambda/web/data/versions.ts";
import { readHostedSettings } from "../../../../lambda/web/hosts/aws/page-settings.ts";
import { makeHistory } from "../../../emulator/history.ts";
import {
  expectDenied,
  expectExact,
  functionCalls,
  VALUES as JOB_VALUES,
  keyCalls,
  principals,
  s3Calls,
} from "../../../handler/recorded-calls.ts";
import { type Call, changed, environmentIn, statementsOfRole, unmatched, type Values } from "../../../infra/policy.ts";
import { type Statement, templates } from "../../../infra/synth.ts";
import { FUNCTION_KEY } from "../../../support/aws-doubles.ts";
import { exportRequest } from "../../../support/exports.ts";
import { makeBench, NOW } from "../../../support/job.ts";
import { listAll } from "../../data/hand-written.ts";
import { type Answered, OPERATOR, type TestedSite, testedSite } from "../../site/fake-site.ts";
import { putUp } from "../../site/uploads.ts";
import { type HostedWorld, openHostedWorld } from "./world.ts";

/**
 * The roles of the page's function must allow exactly what the page calls. The test requests everything that
 * the page shows. A statement must allow each recorded call, and a call must use each action, resource and
 * prefix of a statement.
 */

const PAGE_ROLE = "arn:aws:iam::000000000000:role/fillbook-page-eu-west-1";
const POOL = "eu-west-1_Pool12345";
const VALUES: Values = [
  ...JOB_VALUES,
  [/Arn\(ServerAccountRole\w+\)/g, PAGE_ROLE],
  [/DomainName\(FrontDistribution\w+\)/g, "page.example"],
  [/Import\(FillbookUsers:ExportsOutputRefUsers\w+\)/g, POOL],
  [/Import\(FillbookUsers:ExportsOutputRefSignIn\w+\)/g, "sign-in"],
  [/Ref\(SignInClient\w+\)/g, "client"],
];

/** A bucket for packs, and a key. */
const SETTINGS = { accounts: "main,other", packLockDays: "30", encryption: "kms" };

test.each<[string, Readonly<Record<string, string>>]>([
  ["with one account", {}],
  ["with every option of a deployment", SETTINGS],
])("%s, the roles allow exactly the recorded calls, and no bucket refuses them", async (_, given) => {
  const { data, page } = templates(given);
  const world = await openHostedWorld({ ...readHostedSettings(environmentIn(page, VALUES)), endpoint: null });
  await fill(world);
  await lookAtEverything(world);
  const { byFunction, byAccount } = callsOf(world);
  const ofKey = "encryption" in given ? world.asked().filter(isOfSession).flatMap(keyCalls) : [];
  for (const [role, calls] of [
    ["ServerRole", byFunction],
    ["ServerAccountRole", [...byAccount, ...ofKey]],
  ] as const) {
    const statements = statementsOfRole(page, role);
    expectExact(statements, VALUES, calls);
    expect(
      statements.flatMap(byPrefix).filter((one) => unmatched([one], VALUES, calls).length === calls.length),
    ).toEqual([]);
  }
  // The session of another account reaches none of this.
  const others = byAccount.map((call) => changed(call, { "aws:PrincipalTag/account": "stranger" }));
  expect(unmatched(statementsOfRole(page, "ServerAccountRole"), VALUES, others)).toEqual(others);

  const links = byAccount.filter(({ action, resource }) => action === "s3:GetObject" && /packs/.test(resource));
  const aged = (ms: number) =>
    links.map((call) => changed(call, { "s3:authType": "REST-QUERY-STRING", "s3:signatureAge": String(ms) }));
  expectDenied({ data }, { none: [...byAccount, ...aged(60_000)], all: aged(700_000) });
});

const PERIOD = customPeriod("2026-01-02", "2026-02-01");
const REQUEST = exportRequest(PERIOD);
const FROM = NOW - 32 * DAY_MS;
const LATER_MS = 46 * DAY_MS;

/** A pack, later changes by the service, and the pack made again. */
async function fill({ settings, storeOf }: HostedWorld): Promise<void> {
  const [bucket = "", ...key] = settings.accountList.replace("s3://", "").split("/");
  await storeOf(bucket, "").createNew(key.join("/"), Buffer.from('["main","other"]'));
  const store = storeOf("archive");
  const switches = {
    lateRows: { share: 0.1, maxDelayMs: 40 * DAY_MS },
    changingRows: { share: 0.3, what: "content", afterMs: 45 * DAY_MS },
  } as const;
  const history = makeHistory({ seed: 31, fills: 100, from: FROM, to: NOW });
  const packStore = settings.packStore === null ? null : storeOf("packs");
  const { job, clock } = makeBench({ history, switches, job: { store, packStore } });
  await syncArchive(job, { from: FROM, to: NOW });
  await exportPack(job, REQUEST);
  await clock.sleep(LATER_MS);
  await syncArchive({ ...job, lookBackMs: NOW + LATER_MS - FROM }, { from: FROM });
  await exportPack(job, REQUEST);
  const check = { kind: "files", period: null, checkedAt: NOW, seq: 1, ok: true, checked: 1, findings: 0 } as const;
  await noteCheck(store, "main", check);
}

/** Everything that the page shows and does for an operator. */
async function lookAtEverything(world: HostedWorld): Promise<void> {
  const ports = world.open();
  const site = testedSite(ports);
  const { ask, post, problems } = site;
  const user = OPERATOR;
  const get = async (path: string) => {
    const answer = await ask(path, { user });
    expect([path, answer.status]).toEqual([path, answer.status === 303 ? 303 : 200]);
    return answer;
  };
  const follow = async (path: string) => {
    const { headers } = await get(path);
    const { status } = await fetch(headers["location"] ?? "");
    expect([path, status]).toEqual([path, 200]);
  };
  await get("/");
  await get("/a/main");
  const packs = await listAll(ports.storesOf("main"));
  expect(packs).toHaveLength(2);
  for (const { period, version } of packs) {
    const place = `/a/main/p/${period}/${version}`;
    await get(place);
    await get(`${place}/report`);
    await follow(`${place}/file?path=fills.csv`);
  }
  await get("/a/main/history");
  await get("/a/main/make");
  await changeInputs(site, get, follow);
  const check = await post("/a/main/jobs", { kind: "verify" }, { user });
  await post(`${check.headers["location"]}/stop`, {}, { user });
  // An account in which nothing was walked yet.
  const other = ports.storesOf("other");
  expect((await viewArchive(other)).fills).toBe(0);
  expect(await packPeriods(other)).toEqual([]);
  expect(await recentDownloads(other, 1)).toEqual([]);

  await post("/a/main/jobs", { kind: "sync" }, { user });
  await get("/a/main");
  expect(problems).toEqual([]);
}

/** Uploads a file, replaces it, downloads it and removes it. */
async function changeInputs(
  site: TestedSite,
  get: (path: string) => Promise<Answered>,
  follow: (path: string) => Promise<void>,
): Promise<void> {
  const upload = (price: number) => {
    const text = `market,time,price\nBTC-USD,2026-01-31,${price}\n`;
    return putUp(site, { name: "marks.csv", text }, { user: OPERATOR });
  };
  expect((await upload(1)).status).toBe(303);
  expect((await upload(2)).status).toBe(303);
  await follow("/a/main/files/file?name=marks.csv");
  await get("/a/main/files");
  const removed = await site.post("/a/main/files/remove", { name: "marks.csv" }, { user: OPERATOR });
  expect(removed.status).toBe(303);
}

function isOfSession({ accessKeyId }: { readonly accessKeyId: string }): boolean {
  return accessKeyId !== FUNCTION_KEY;
}

function callsOf({ sfn, sts, asked }: HostedWorld) {
  expect(new Set(sfn.calls.map(({ accessKeyId }) => accessKeyId))).toEqual(new Set([FUNCTION_KEY]));
  const principalOf = principals(sts, PAGE_ROLE);
  const byAccount = asked()
    .filter(isOfSession)
    .flatMap((request) => s3Calls(request, principalOf(request.accessKeyId)));
  const byFunction: readonly Call[] = [
    ...functionCalls(sts),
    ...sfn.calls.map(({ operation, resource }) => ({ action: `states:${operation}`, resource, context: {} })),
    // Without the list of accounts the page cannot work, so the function need not be able to distinguish a
    // missing list from a refused one.
    ...asked()
      .filter((request) => !isOfSession(request))
      .flatMap((request) => s3Calls(request, {}))
      .filter(({ action }) => action !== "s3:ListBucket"),
  ];
  return { byAccount, byFunction };
}

/** A separate statement for each prefix that a statement allows to list. */
function byPrefix(statement: Statement): readonly Statement[] {
  const { StringLike } = (statement.Condition ?? {}) as { readonly StringLike?: Readonly<Record<string, unknown>> };
  return [StringLike?.["s3:prefix"] ?? []]
    .flat()
    .map((prefix) => ({ ...statement, Condition: { StringLike: { "s3:prefix": prefix } } }));
}
