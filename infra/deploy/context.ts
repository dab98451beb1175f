import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { type StackSettings, stackSettings, type UserSettings, userSettings } from "../settings.ts";
import { settingsFile } from "../settings-file.ts";

type Context = Readonly<Record<string, unknown>>;

/**
 * The settings as the app will see them. Precedence: -c, then cdk.json, then cdk.context.json, then the
 * user's own ~/.cdk.json (the CDK's order), then the settings file, then the environment. Throws an Error
 * that names the setting.
 */
export function deployedSettings(root: string, given: readonly string[], env: NodeJS.ProcessEnv): StackSettings {
  return settingsWith(stackSettings, root, given, env);
}

/** As `deployedSettings`, for the page's users. */
export function deployedUserSettings(root: string, given: readonly string[], env: NodeJS.ProcessEnv): UserSettings {
  return settingsWith(userSettings, root, given, env);
}

function settingsWith<T>(
  read: (node: App["node"], env: NodeJS.ProcessEnv, file: Context) => T,
  root: string,
  given: readonly string[],
  env: NodeJS.ProcessEnv,
): T {
  const context: Context = {
    ...contextOf(join(homedir(), ".cdk.json")),
    ...json(join(root, "cdk.context.json")),
    ...contextOf(join(root, "cdk.json")),
    ...givenContext(given),
  };
  return read(new App({ context: { ...context }, analyticsReporting: false }).node, env, settingsFile(root));
}

/** Parses `name=value`; the value may contain `=`. */
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
