/** `--store ./books`; what begins with a dash needs a `=`, or it is taken for another flag. */
export function typedFlag(flag: string, value: string): string {
  return `--${flag}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;
}

/** A word quoted for the shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
