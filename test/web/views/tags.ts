/** A page's tags with the names of their attributes. No text may change them. */
export interface Tag {
  /** `/p` for an end tag */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Works for markup that escapes `<`, `>` and `"` in all text. The tests with hostile texts prove that ours
 * does.
 */
export function tagsOf(page: string): Tag[] {
  return [...page.matchAll(/<(?<name>[!/]?[a-z0-9]+)(?<rest>[^<>]*)>/gi)].map(({ groups = {} }) => ({
    name: (groups["name"] ?? "").toLowerCase(),
    attributes: Object.fromEntries(
      [...(groups["rest"] ?? "").matchAll(/(?<key>[a-z-]+)(?:="(?<value>[^"]*)")?/gi)].map((match) => [
        match.groups?.["key"] ?? "",
        match.groups?.["value"] ?? "",
      ]),
    ),
  }));
}

/** `p class id`, in order. */
export function skeletonOf(page: string): string[] {
  return tagsOf(page).map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(" "));
}
