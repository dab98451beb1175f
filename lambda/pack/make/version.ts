import manifest from "../../../package.json" with { type: "json" };

/** Who makes packs: `fillbook 0.1.0`. */
export const MADE_BY = `fillbook ${manifest.version}`;
