import { inputsOf } from "../../lambda/inputs/inputs.ts";

/** A user who gives no files. */
export const NO_INPUTS = inputsOf([], "main/inputs", "UTC");
