import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { ArchiveBucket } from "../../infra/data/archive-bucket.ts";
import { PackBucket } from "../../infra/data/pack-bucket.ts";
import type { PackLock } from "../../infra/settings.ts";
import { type Resource, resourcesOf, temporaryFolder } from "./synth.ts";

const FLAGS = JSON.parse(readFileSync(join(import.meta.dirname, "../../cdk.json"), "utf8")).context;

/** A stack of an archive and its locked packs, with nothing else in it. */
export function packStack(lock: PackLock, encryption: "s3" | "kms" = "s3") {
  const stack = new Stack(new App({ context: FLAGS, outdir: temporaryFolder() }), "FillbookData");
  const settings = { prefix: "books", encryption, page: null };
  const archive = new ArchiveBucket(stack, "Archive", settings);
  const packs = new PackBucket(stack, "Packs", { lock, archive, settings });
  return { stack, packs, template: Template.fromStack(stack) };
}

/** The only one of its type that belongs to the packs. */
export function packResource(template: Template, type: string): Resource {
  const [found, ...more] = resourcesOf(template, type).filter(([id]) => id.startsWith("Packs"));
  if (found === undefined || more.length > 0) {
    throw new Error(`there is not one ${type} of the packs`);
  }
  return found[1];
}
