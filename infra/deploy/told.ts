/**
 * The error as text for people, with its name: the message of an SDK error often leaves out what the name
 * says. If it is one of AWS's own, what it means here comes first.
 */
export function told(thrown: unknown): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const text = `${["Error", "TypeError"].includes(error.name) ? "" : `${error.name}: `}${error.message}`;
  const meaning = MEANINGS.find(([of]) => of.test(`${error.name} ${error.message}`))?.[1];
  return meaning === undefined ? text : `${meaning}\n${text}`;
}

const MEANINGS: readonly (readonly [of: RegExp, meaning: string])[] = [
  [/region is missing/i, "AWS has no region here: set AWS_REGION, or AWS_PROFILE to a profile that has one."],
  [
    /could not load credentials|no credentials/i,
    "AWS has no credentials here: set AWS_PROFILE to a profile that has them, and sign in (aws sso login).",
  ],
  [
    /credentials|expired ?token|security token/i,
    "Check the credentials for AWS: AWS_PROFILE, AWS_REGION, and that you are signed in.",
  ],
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)\b/,
    "AWS could not be reached. Check AWS_REGION, and that this machine has a network.",
  ],
];
