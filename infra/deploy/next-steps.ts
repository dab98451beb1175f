import { counted } from "../../lambda/core/text.ts";
import { DEFAULT_DEPLOYMENT, type Names } from "../names.ts";
import type { PageDomain } from "../page-settings.ts";
import type { StackSettings } from "../settings.ts";
import type { SecretState, StackState } from "./cloud.ts";

const MANY = 5;

/** What a person must still do after a deployment, in lines. */
export function nextSteps(
  settings: StackSettings,
  stacks: readonly StackState[],
  secrets: readonly SecretState[],
): readonly string[] {
  const { names } = settings;
  const filled = new Set(secrets.flatMap(({ name, hasValue }) => (hasValue ? [name] : [])));
  const empty = settings.accounts.filter(
    (account) => !(settings.tokenSecrets.has(account) || filled.has(names.secret(account))),
  );
  const outputsOf = (stack: string) => stacks.find(({ name }) => name === stack)?.outputs ?? new Map<string, string>();
  const machine = outputsOf(names.jobStack).get("NightlyMachineArn") ?? "ARN";
  const steps = [
    ...tokenSteps(empty, names),
    [
      `Start a run, or wait for the nightly one (${settings.scheduleHour}:10, ${settings.zone}):`,
      `  aws stepfunctions start-execution --state-machine-arn ${machine} --input '{"action":"sync"}'`,
      '  Until the first run completes, the alarm "Not run in 26 hours" is on.',
    ],
    ...(settings.alarmEmail === null
      ? [["Alarms reach nobody: deploy again with -c alarmEmail=ADDRESS."]]
      : [
          [
            `Confirm the subscription in the mail that AWS sends to ${settings.alarmEmail}, if you have not: no alarm arrives without it.`,
          ],
        ]),
    ...(settings.page === null ? [] : pageSteps(settings, settings.page.domain, outputsOf(names.pageStack))),
  ];
  return steps.flatMap(([first = "", ...rest], index) => [
    `${index + 1}. ${first}`,
    ...rest.map((line) => `   ${line}`),
  ]);
}

function tokenSteps(empty: readonly string[], names: Names): readonly (readonly string[])[] {
  if (empty.length === 0) {
    return [];
  }
  const shown = empty.slice(0, MANY).join(", ");
  const more = empty.length > MANY ? `, and ${empty.length - MANY} more` : "";
  const [account = ""] = empty;
  return [
    [
      `Store the token; this way it does not appear in the shell's history. ${counted(empty.length, "account")} without a token: ${shown}${more}.`,
      `  read -rs TOKEN && printf '{"token":"%s"}' "$TOKEN" |`,
      `    aws secretsmanager put-secret-value --secret-id ${names.secret(account)} --secret-string file:///dev/stdin; unset TOKEN`,
    ],
  ];
}

function pageSteps(
  { names: { deployment }, accounts: [account = ""] }: Pick<StackSettings, "names" | "accounts">,
  domain: PageDomain | null,
  outputs: StackState["outputs"],
): readonly (readonly string[])[] {
  const which = deployment === DEFAULT_DEPLOYMENT ? "" : `-c deployment=${deployment} `;
  return [
    ...(domain === null
      ? []
      : [
          [
            `Point ${domain.name} to the page with a CNAME or alias record for ${outputs.get("PageTarget") ?? "TARGET"}.`,
          ],
        ]),
    [
      `Create the users of the page, ${outputs.get("PageUrl") ?? "URL"}: each receives a mail with a first password (docs/users.md, "A new user").`,
      `  npm run user -- ${which}add NAME MAIL accountant:${account}`,
    ],
  ];
}
