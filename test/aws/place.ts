import process from "node:process";

/** Where the emulator of AWS is, as its starter tells the tests. */
export interface CloudPlace {
  readonly endpoint: string;
  readonly region: string;
  /** The account's root. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** A PEM file that its clients are to trust. */
  readonly certificate: string;
  /** Gone after the tests. */
  readonly folder: string;
  /** Functions run in children of this process. */
  readonly pid: number;
}

export const CLOUD_VARIABLE = "FILLBOOK_TEST_CLOUD";

export function cloudPlace(): CloudPlace {
  const told = process.env[CLOUD_VARIABLE];
  if (told === undefined) {
    throw new Error("no emulator of AWS: run this with npm run test:aws");
  }
  return JSON.parse(told);
}
