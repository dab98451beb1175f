import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { type StackSettings, stackSettings } from "../settings.ts";
import { settingsFile } from "../settings-file.ts";

type Context = Readonly<Record<string, unknown>>;

/**
 * The settings as the app will see them: the CDK CLI lets -c go before cdk.json, that before cdk.context.json, and that before the user's own
 * file; the settings file comes after all of these, and before the environment. Throws an Error that names the setting.
 */
export function deployedSettings(root: string, given: readonly string[], env: NodeJS.ProcessEnv): StackSettings {
  const context: Context = {
    ...contextOf(join(homedir(), ".cdk.json")),
    ...json(join(root, "cdk.context.json")),
    ...contextOf(join(root, "cdk.json")),
    ...givenContext(given),
  };
  return stackSettings(new App({ context: { ...context }, analyticsReporting: false }).node, env, settingsFile(root));
}

/** Of `name=value`; the value may hold a `=` of its own. */
function givenContext(given: readonly string[]): Context {
  return Object.fromEntries(
    given.map((setting) => {
      const equals = setting.indexOf("=");
      return [setting.slice(0, equals), setting.slice(equals + 1)];
    }),
  );
}

function contextOf(path: string): Context {
  const { context }: { context?: Context } = json(path);
  return context ?? {};
}

function json(path: string): Context {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
