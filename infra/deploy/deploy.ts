import type { StackSettings } from "../settings.ts";
import type { Options } from "./arguments.ts";
import type { Assembly, Templates } from "./assembly.ts";
import type { Cdk } from "./cdk.ts";
import type { Cloud } from "./cloud.ts";
import { firstWalk, largePack, monthlyCost } from "./cost.ts";
import { dataAtRisk, type Loss } from "./data-changes.ts";
import { deployedBy } from "./deployed.ts";
import { nextSteps } from "./next-steps.ts";
import { type Known, obstacles } from "./obstacles.ts";
import { type Cost, costLines, lossLines, obstacleLines, settingsLines } from "./summary.ts";
import { accountOf } from "./tokens.ts";

export interface Ports {
  readonly cloud: Cloud;
  readonly cdk: Cdk;
  readonly region: string;
  readonly settings: StackSettings;
  /** A folder that only this run uses. */
  readonly folder: string;
  readonly readAssembly: (folder: string) => Assembly;
  readonly say: (line: string) => void;
  /** What a person types; null if nobody can be asked. */
  readonly ask: (question: string) => Promise<string | null>;
}

/** `stopped`: an obstacle was found, or nobody agreed. Nothing was changed. */
export type Ending = "deployed" | "shown" | "stopped";

const MONTHS = 12;
const QUERIES = 20;
const PAGE_USERS = 5;
const MILLION = 1_000_000;
/** The outputs that name functions. */
const FUNCTION_OUTPUTS = ["FunctionName", "PageFunctionName"] as const;
const WALK_RATE = 10; // requests a second

/** Checks, shows the changes, asks, deploys. Rejects when AWS or the CDK fails. */
export async function deploy(ports: Ports, options: Options): Promise<Ending> {
  const { cdk, folder, say, settings } = ports;
  const identity = await ports.cloud.identity().catch(async (error: unknown) => {
    if (options.dryRun) {
      await showWithoutAws(ports, options);
    }
    throw error;
  });
  say(`AWS account ${identity.account}, ${ports.region}, as ${identity.arn}`);
  section(ports, "Settings", settingsLines(settings));
  await cdk.synth(folder);
  const { templates: next, bootstrapVersion } = ports.readAssembly(folder);
  const { region } = ports;
  const known: Known = { ...(await look(ports, next)), settings, identity, region, next, bootstrapVersion };
  const inTheWay = obstacles(known);
  if (inTheWay.length > 0) {
    section(ports, "Obstacles", obstacleLines(inTheWay));
    return "stopped";
  }
  section(ports, "What changes", []);
  await cdk.diff(folder);
  const losses = dataAtRisk(known.deployed, next).filter((loss) => !isAdopted(loss, known));
  section(
    ports,
    "Data",
    losses.length === 0 ? ["  Nothing that holds data is removed, replaced or locked for good."] : lossLines(losses),
  );
  section(ports, "What it costs", costLines(costs(settings, next, options.fillsAMonth)));
  if (options.dryRun) {
    say("\nDry run: nothing was changed.");
    return "shown";
  }
  if (!((await letsGo(ports, options, losses)) && (await agrees(ports, options)))) {
    say("Nothing was changed.");
    return "stopped";
  }
  await cdk.deploy(folder);
  const [stacks, secrets] = [await ports.cloud.stacks(), await ports.cloud.secrets(settings.names.tokenDescription)];
  section(ports, "Next steps", nextSteps(settings, stacks, secrets));
  return "deployed";
}

/** What needs no AWS account: the settings, the synthesis with its checks, and the cost. */
async function showWithoutAws(ports: Ports, { fillsAMonth }: Options): Promise<void> {
  const { cdk, folder, say, settings } = ports;
  say("AWS could not be asked, for the reason at the end: only settings and costs are shown.");
  section(ports, "Settings", settingsLines(settings));
  await cdk.synth(folder);
  const { templates } = ports.readAssembly(folder);
  section(ports, "What it costs", [...costLines(costs(settings, templates, fillsAMonth)), ""]);
}

function section({ say }: Pick<Ports, "say">, title: string, lines: readonly string[]): void {
  for (const line of [`\n${title}`, ...lines]) {
    say(line);
  }
}

/**
 * Own stacks include those that the settings no longer make: they stay deployed, and they still use the
 * exports that they import.
 */
async function look({ cloud, settings }: Ports, next: Templates) {
  const { names } = settings;
  const stacks = await cloud.stacks();
  const own = stacks.filter(({ name }) => next.has(name) || names.isOwnStack(name));
  const there = own.filter(({ status }) => status !== "REVIEW_IN_PROGRESS");
  const templates = there.map(async ({ name }) => [name, await cloud.template(name)] as const);
  const functions = own.flatMap(({ outputs }) => FUNCTION_OUTPUTS.flatMap((name) => outputs.get(name) ?? []));
  const places = settings.reservedConcurrency === null ? [] : functions.map((name) => cloud.reserved(name));
  return {
    stacks,
    deployed: new Map(await Promise.all(templates)),
    secrets: await cloud.secrets(names.tokenDescription),
    concurrency: await cloud.concurrency(),
    reserved: (await Promise.all(places)).reduce((sum, each) => sum + each, 0),
  };
}

/** True for a token's secret that leaves its stack but is kept, and that the settings now use by its name. */
function isAdopted({ name, fate }: Loss, { deployed, settings }: Known): boolean {
  const [stack = "", id = ""] = name.split("/");
  const description = deployed.get(stack)?.Resources?.[id]?.Properties?.["Description"];
  const account = typeof description === "string" ? accountOf(description, settings.names) : undefined;
  return fate === "left" && account !== undefined && settings.tokenSecrets.has(account);
}

function costs(settings: StackSettings, next: Templates, fillsAMonth: number): Cost {
  const queriesAMonth = settings.queryLimitGb === null ? 0 : QUERIES;
  const use = { fillsAMonth, months: MONTHS, queriesAMonth, pageUsers: PAGE_USERS };
  return {
    month: monthlyCost(deployedBy(next, settings), use),
    use: `after ${MONTHS} months of ${fillsAMonth.toLocaleString("en")} fills for each account`,
    walk: firstWalk(MILLION, WALK_RATE).lines,
    walkRate: WALK_RATE,
    largePack: settings.largePacks ? largePack(100 * MILLION).lines : null,
  };
}

/** Asks for each resource whose data may be lost, by its name. --yes never answers this question. */
async function letsGo({ ask, say }: Ports, { yes, removeData }: Options, losses: readonly Loss[]): Promise<boolean> {
  for (const { name } of losses) {
    if (!removeData.includes(name)) {
      const typed = yes ? null : await ask(`\nType ${name} to confirm: `);
      if (typed !== name) {
        say(`\nNot confirmed: ${name}. To confirm without a question: --yes-remove-data ${name}`);
        return false;
      }
    }
  }
  return true;
}

async function agrees({ ask, say }: Ports, { yes }: Options): Promise<boolean> {
  if (yes) {
    return true;
  }
  const answer = await ask("\nDeploy? Type yes: ");
  if (answer === null) {
    say("\nThere is no terminal to ask in. To deploy without a question: --yes");
  }
  return answer === "yes";
}
