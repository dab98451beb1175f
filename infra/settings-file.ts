import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Beside cdk.json and not in git: what is a deployment's own. */
export const SETTINGS_FILE = "fillbook.json";

/** Settings by their names, as `-c` takes them, or lists. None where there is no file. Throws an Error that names the file. */
export function settingsFile(root: string): Readonly<Record<string, unknown>> {
  const path = join(root, SETTINGS_FILE);
  if (!existsSync(path)) {
    return {};
  }
  const wrong = `${path} must be an object of JSON, such as {"accountUrl": "https://…"}`;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(wrong, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(wrong);
  }
  return { ...value };
}
