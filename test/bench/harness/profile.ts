import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Child } from "./child.ts";
import { summarizeProfile } from "./summarize-profile.ts";

/** Does the work; where profiles are asked for, takes one of each child meanwhile and says where it is. */
export const profileDuring = async (
  bench: Bench,
  children: Readonly<Record<string, Child>>,
  work: () => Promise<void>,
): Promise<void> => {
  if (!bench.options.profile) return work();
  const directory = await mkdtemp(join(tmpdir(), "latchkey-profile-"));
  for (const child of Object.values(children)) await child.ask("startProfile");
  await work();
  for (const [name, child] of Object.entries(children)) {
    const path = join(directory, `${name}.cpuprofile`);
    await child.ask("writeProfile", { path });
    bench.say(`\n${path}\n${summarizeProfile(await readFile(path, "utf8"))}`);
  }
};
