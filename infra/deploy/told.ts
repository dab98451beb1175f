/**
 * The error as text for people, with its name: the message of an SDK error often leaves out what the name
 * says.
 */
export function told(thrown: unknown): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const hint = /credentials|expired ?token|security token|region is missing/i.test(`${error.name} ${error.message}`)
    ? "\nCredentials and region come from the usual AWS settings. Check AWS_PROFILE and AWS_REGION, and that you are signed in."
    : "";
  return `${["Error", "TypeError"].includes(error.name) ? "" : `${error.name}: `}${error.message}${hint}`;
}
