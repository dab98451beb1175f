/**
 * The error as text for people, with its name: the message of an SDK error often leaves out what the name
 * says.
 */
export function told(thrown: unknown): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const text = `${["Error", "TypeError"].includes(error.name) ? "" : `${error.name}: `}${error.message}`;
  const hint = HINTS.find(([of]) => of.test(`${error.name} ${error.message}`))?.[1];
  return hint === undefined ? text : `${text}\n${hint}`;
}

const HINTS: readonly (readonly [of: RegExp, hint: string])[] = [
  [
    /credentials|expired ?token|security token|region is missing/i,
    "Credentials and region come from the usual AWS settings. Check AWS_PROFILE and AWS_REGION, and that you are signed in.",
  ],
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)\b/,
    "AWS could not be reached. Check AWS_REGION, and that this machine has a network.",
  ],
];
