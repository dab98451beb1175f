// What a task's container runs before anything of ours is in it: the image has Node and nothing else. It
// fetches the function's bundle from where the CDK has put it, and runs it from memory, since its disk is
// read-only. What lies there may have been changed since the deployment: only the code that was deployed is
// run. Signed by hand, as the image has no SDK:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from "node:crypto";
import { registerHooks } from "node:module";
import process from "node:process";
import { inflateRawSync } from "node:zlib";

const { env } = process;
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key, text) => createHmac("sha256", key).update(text).digest();

/** Of the task's role: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html */
async function credentials() {
  const at =
    env.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? `http://169.254.170.2${env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI}`;
  return await (await fetched(at, {})).json();
}

const TRIES = 3;

async function fetched(url, headers) {
  let problem = "";
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await fetch(url, { headers, redirect: "error", signal: stop.signal }).catch((error) => error);
    if (answer.ok) {
      return answer;
    }
    stop.signal.throwIfAborted();
    problem = answer.status ?? answer.message;
  }
  throw new Error(`${new URL(url).host} answers ${problem}`);
}

async function object(url) {
  const { AccessKeyId: id, SecretAccessKey: secret, Token: token } = await credentials();
  const { host, pathname } = new URL(url);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const signed = { host, "x-amz-content-sha256": sha256(""), "x-amz-date": time, "x-amz-security-token": token };
  const names = Object.keys(signed).join(";");
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const asked = ["GET", pathname, "", lines.join(""), names, sha256("")].join("\n");
  const scope = `${day}/${env.AWS_REGION}/s3/aws4_request`;
  const key = [day, env.AWS_REGION, "s3", "aws4_request"].reduce(hmac, `AWS4${secret}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(asked)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const { host: _, ...headers } = signed;
  return Buffer.from(await (await fetched(url, { ...headers, authorization })).arrayBuffer());
}

/**
 * A file of a ZIP by its central directory: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
 */
function unzipped(zip, name) {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = end < 0 ? zip.length : zip.readUInt32LE(end + 16);
  while (at + 46 <= zip.length && zip.readUInt32LE(at) === 0x02_01_4b_50) {
    const [named, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    if (zip.toString("utf8", at + 46, at + 46 + named) === name) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    }
    at += 46 + named + extra + comment;
  }
  throw new Error(`there is no ${name} in the bundle`);
}

const source = unzipped(await object(env.FILLBOOK_BUNDLE), "index.mjs");
if (sha256(source) !== env.FILLBOOK_BUNDLE_SHA256) {
  throw new Error("the bundle is not the one that was deployed: deploy again, and look who has changed it");
}
const here = "file:///fillbook/index.mjs";
registerHooks({
  resolve: (name, context, next) => (name === here ? { url: here, shortCircuit: true } : next(name, context)),
  load: (at, context, next) => (at === here ? { format: "module", source, shortCircuit: true } : next(at, context)),
});
const { task } = await import(here);
await task(stop.signal);
