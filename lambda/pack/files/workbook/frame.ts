import type { PackContext } from "../../build/maker.ts";

/** The name and the title of a sheet: every title says whose and for when it is, and what it leaves out. */
export interface Frame {
  readonly name: string;
  readonly title: string;
  readonly footer: string;
  readonly zone: string;
}

export function frameOf(context: PackContext, name: string, about: string): Frame {
  const { account, period } = context;
  const mark = context.complete ? "" : "NOT COMPLETE. ";
  const funding = context.funding === null ? "Excluding funding." : "Excluding funding, except where it is named.";
  return {
    name,
    title: `${mark}${name}: ${account}, ${period.name}. ${about} ${funding}`,
    footer: `${mark}${account}, ${period.name}`,
    zone: period.zone,
  };
}
