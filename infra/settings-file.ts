import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS_FILE } from "../lambda/job/settings.ts";
import { DEPLOY_SECTION, KEYS } from "../lambda/job/settings-file.ts";
import { WrongSetting } from "./settings.ts";

/**
 * Settings of the command line in the same file that a deployment uses when its own section does not set
 * them.
 */
const SHARED = ["accountUrl", "marketDataUrl"];

/**
 * The section `deploy` of fillbook.json, which lies beside cdk.json and is not in git: settings by name, as
 * `-c` takes them, or as lists. Empty if there is no file. Throws a WrongSetting that names the file.
 */
export function settingsFile(root: string): Readonly<Record<string, unknown>> {
  const path = join(root, SETTINGS_FILE);
  if (!existsSync(path)) {
    return {};
  }
  const example = `{"${DEPLOY_SECTION}": {"accountUrl": "https://…"}}`;
  let all: unknown;
  try {
    all = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new WrongSetting(`${path} must be a JSON object, such as ${example}`, { cause });
  }
  const file = objectOf(all, `${path} must be a JSON object, such as ${example}`);
  const stray = Object.keys(file).find((key) => key !== DEPLOY_SECTION && !KEYS.has(key));
  if (stray !== undefined) {
    throw new WrongSetting(`${path} has "${stray}" at its top level: move it into its section, as in ${example}`);
  }
  const shared = Object.entries(file).filter(([key]) => SHARED.includes(key));
  const own = objectOf(file[DEPLOY_SECTION] ?? {}, `${path}: "${DEPLOY_SECTION}" must be an object, as in ${example}`);
  return { ...Object.fromEntries(shared), ...own };
}

function objectOf(value: unknown, otherwise: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new WrongSetting(otherwise);
  }
  return { ...value };
}
