import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { unzipSync } from "fflate";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { patienceMs } from "../patience.ts";

// What an accountant does on the page, from the first visit to signing out. It is the same on this machine
// and on AWS.

/** The differences between the hosts. */
export interface Flow {
  /** The page's address: `http://127.0.0.1:4711`; on this machine it includes the session's path. */
  readonly origin: string;
  readonly account: string;
  /** The signed-in user, as the download history names them. */
  readonly user: string;
  /** A US tax year that has no pack yet: `us-2025`. */
  readonly period: string;
  /** True if the page sends the whole pack as one ZIP. */
  readonly hasZip: boolean;
  /** The heading of the page after signing out. */
  readonly signedOut: string;
  /** Called when the job's page shows that the job is running. */
  readonly atWork?: () => void;
}

export interface Taken {
  /** Path of the pack's page, relative to `origin`. */
  readonly pack: string;
  /** The files of the ZIP by path. Without a ZIP: the one file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Runs the whole flow on a signed-in page. Returns what was downloaded. */
export async function runFlow(page: Page, flow: Flow): Promise<Taken> {
  page.setDefaultTimeout(patienceMs(60));
  await openOverview(page, flow);
  await make(page, flow);
  await readReport(page, flow);
  const pack = page.url().slice(flow.origin.length);
  await page.getByText("For the accountant").click();
  const single = await download(page, page.getByRole("link", { name: "fills.csv", exact: true }));
  expect(single.name).toBe("fills.csv");
  const files = flow.hasZip ? await takeZip(page) : new Map([["fills.csv", single.bytes]]);
  expect(sha256Of(single.bytes)).toBe(sha256Of(files.get("fills.csv") ?? Buffer.from("")));
  await checkHistory(page, flow, pack);
  await signOut(page, flow, pack);
  return { pack, files };
}

async function openOverview(page: Page, flow: Flow): Promise<void> {
  await page.goto(flow.origin);
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: flow.account, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: `Account ${flow.account}` }).waitFor();
}

/** Requests the period, waits for the job, and opens the pack. */
async function make(page: Page, flow: Flow): Promise<void> {
  const title = `US tax year ${flow.period.slice(3)}`;
  await page
    .getByRole("main")
    .getByRole("link", { name: /^(?:Make a pack|Other period)/ })
    .click();
  await page.getByRole("heading", { level: 1, name: "Make a pack" }).waitFor();
  await page.getByLabel("Period", { exact: true }).selectOption(flow.period);
  await page.getByRole("button", { name: "Make this pack" }).click();
  await page.getByRole("progressbar", { name: "Progress" }).waitFor();
  let navigations = 0;
  const count = () => {
    navigations += 1;
  };
  page.on("framenavigated", count);
  flow.atWork?.();
  const toPack = page.getByRole("link", { name: "Open the pack" });
  await toPack.waitFor();
  page.off("framenavigated", count);
  // The script shows the end without a reload.
  expect(navigations).toBe(0);
  await page.getByText("The pack is ready.").waitFor();
  expect(await page.getByRole("progressbar").count()).toBe(0);
  await toPack.click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}

/** Opens the report from the pack's page, checks that it shows the same amount, and goes back. */
async function readReport(page: Page, flow: Flow): Promise<void> {
  await page.getByText(/^[✓▲] Records complete; PnL .* \d+ markets\.$/).waitFor();
  const net = await page.locator(".nets dd data").first().innerText();
  await page.getByRole("link", { name: "Open the report" }).click();
  const report = page.getByRole("heading", { level: 1 });
  await report.waitFor();
  expect(await report.textContent()).toContain(flow.account);
  expect(await page.locator(".cover tbody data").allInnerTexts()).toContainEqual(expect.stringContaining(net));
  await page.goBack();
  await page.getByRole("heading", { level: 2, name: "Files" }).waitFor();
}

async function takeZip(page: Page): Promise<ReadonlyMap<string, Uint8Array>> {
  const { name, bytes } = await download(page, page.getByRole("link", { name: "Download everything (ZIP)" }));
  return filesOf(bytes, name.replace(/\.zip$/, "/"));
}

export interface Downloaded {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Clicks a link and returns the downloaded file. */
export async function download(page: Page, link: Locator): Promise<Downloaded> {
  const [given] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(await given.failure()).toBeNull();
  return { name: given.suggestedFilename(), bytes: await buffer(await given.createReadStream()) };
}

/** By path within the pack. All entries must be in its folder. */
function filesOf(zip: Uint8Array, folder: string): ReadonlyMap<string, Uint8Array> {
  const entries = Object.entries(unzipSync(zip));
  expect(entries.filter(([path]) => !path.startsWith(folder))).toEqual([]);
  return new Map(entries.map(([path, bytes]) => [path.slice(folder.length), bytes]));
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Lists the downloads and nothing else, because viewing the report is not a download. */
async function checkHistory(page: Page, flow: Flow, pack: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name: "Downloads" }).click();
  await page.getByRole("heading", { level: 1, name: `Downloads of ${flow.account}` }).waitFor();
  const rows = await page.getByRole("main").getByRole("listitem").all();
  const told = await Promise.all(rows.map((row) => row.innerText()));
  const taken = [...(flow.hasZip ? ["Everything, as ZIP"] : []), "fills.csv"];
  expect(told).toEqual(taken.map((name) => expect.stringContaining(name)));
  expect(told.every((row) => row.includes(flow.user))).toBe(true);
  expect(await rows[0]?.getByRole("link").getAttribute("href")).toBe(new URL(flow.origin + pack).pathname);
}

/** Afterwards, neither going back nor any address shows anything about the account. */
async function signOut(page: Page, { account, signedOut, origin }: Flow, pack: string): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: signedOut }).waitFor();
  for (const leave of [
    () => page.goBack(),
    () => page.goto(`${origin}/a/${account}`),
    () => page.goto(origin + pack),
  ]) {
    await leave();
    const shown = await page.content();
    expect(shown).not.toContain(`/a/${account}`);
    expect(shown).not.toContain("Sign out");
  }
}
