/** A phone, a tablet, a desk: CSS pixels. */
export const WIDTHS = [360, 768, 1280] as const;
export const HEIGHT = 900;

export const SCHEMES = ["light", "dark"] as const;
