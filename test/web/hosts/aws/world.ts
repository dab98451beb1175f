import { openS3Store } from "../../../../lambda/storage/s3.ts";
import { hostedPorts } from "../../../../lambda/web/hosts/aws/hosted-ports.ts";
import type { HostedSettings } from "../../../../lambda/web/hosts/aws/page-settings.ts";
import { asFunction, SESSION, startSfnDouble, startStsDouble } from "../../../support/aws-doubles.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { countedIds } from "../../../support/prng.ts";
import { startS3Double } from "../../../support/s3-double/server.ts";
import { settingsAt } from "./page-world.ts";

/** The key with which tests fill the stores. */
const WRITER_KEY = "AKIAWRITER";

export const NOW = Date.UTC(2026, 1, 1);

export type HostedWorld = Awaited<ReturnType<typeof openHostedWorld>>;

/**
 * Doubles of all services that the page's function calls for its data, reached through the real SDK. They end with
 * the test.
 */
export async function openHostedWorld(given: Partial<HostedSettings> = {}) {
  const clock = fakeClock({ now: NOW });
  const sts = await startStsDouble();
  const settings = { ...settingsAt("https://sign-in.example"), ...given };
  const s3 = await startS3Double({
    bucket: "archive",
    others: ["packs", settings.accountList.split("/")[2] ?? ""],
    presigning: {
      now: () => clock.now(),
      signerOf: (id) => (sts.sessions.some(({ accessKeyId }) => accessKeyId === id) ? SESSION : undefined),
    },
  });
  const sfn = await startSfnDouble(settings.machine);
  asFunction({ AWS_ENDPOINT_URL_STS: sts.endpoint, AWS_ENDPOINT_URL_SFN: sfn.endpoint }, [s3, sfn, sts]);
  const random = { next: () => 0.5, id: countedIds() };
  const hosted = { ...settings, endpoint: s3.endpoint };
  return {
    s3,
    sfn,
    sts,
    clock,
    settings: hosted,
    /** Opened again, as in a new function. */
    open: () => hostedPorts(hosted, { clock, random }),
    /** A bucket as a store, for the test itself; below `fillbook/` unless another prefix is given. */
    storeOf: (bucket: string, prefix = "fillbook") =>
      openS3Store({
        ...{ bucket, prefix },
        client: { ...s3.client, credentials: { accessKeyId: WRITER_KEY, secretAccessKey: "test" } },
      }),
    /** The function's requests to S3, links included. */
    asked: () => s3.requests.filter(({ accessKeyId }) => accessKeyId !== WRITER_KEY),
  };
}
