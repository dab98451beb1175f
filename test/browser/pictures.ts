import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { samplesOf } from "../web/views/samples.ts";
import { openChromium } from "./chromium.ts";
import { HEIGHT, SCHEMES, WIDTHS } from "./looks.ts";
import { serveSamples } from "./sample-site.ts";

// Pictures of every page, to be looked at: node test/browser/pictures.ts FOLDER

const [folder = "pictures"] = process.argv.slice(2);
const samples = samplesOf();
const [browser, site] = await Promise.all([openChromium(), serveSamples(samples)]);
await mkdir(folder, { recursive: true });
for (const colorScheme of SCHEMES) {
  for (const width of WIDTHS) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: HEIGHT } });
    for (const { name } of samples) {
      await page.goto(`${site.origin}/${name}`);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await page.close();
  }
}
await Promise.all([browser.close(), site.close()]);
