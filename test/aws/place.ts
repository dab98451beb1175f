import process from "node:process";

/** Where the AWS emulator runs. main.ts passes this to the tests. */
export interface CloudPlace {
  readonly endpoint: string;
  readonly region: string;
  /** The keys of the account's root user. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Path of the PEM file that clients must trust. */
  readonly certificate: string;
  /** A folder that is removed after the tests. */
  readonly folder: string;
  /** The emulator's process. Functions run in its child processes. */
  readonly pid: number;
}

export const CLOUD_VARIABLE = "FILLBOOK_TEST_CLOUD";

export function cloudPlace(): CloudPlace {
  const told = process.env[CLOUD_VARIABLE];
  if (told === undefined) {
    throw new Error("there is no emulator of AWS; run these tests with npm run test:aws");
  }
  return JSON.parse(told);
}
