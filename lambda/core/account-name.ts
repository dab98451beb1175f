const NAME = /^[a-z0-9-]{1,32}$/;

/** An account's name is a part of keys and paths. */
export function isAccountName(text: string): boolean {
  return NAME.test(text);
}
