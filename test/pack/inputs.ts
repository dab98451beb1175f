import type { Inputs } from "../../lambda/inputs/inputs.ts";

/** A user who gives no files. */
export const NO_INPUTS: Inputs = {
  location: "main/inputs",
  files: [],
  accounts: null,
  openings: [],
  funding: null,
  transfers: null,
  balances: [],
  adjustments: [],
  marks: null,
  designations: null,
  rates: [],
};
