import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Child } from "./child.ts";
import { summarizeProfile, topFunctions } from "./summarize-profile.ts";

const keptCount = 15;

/** Runs the work. If profiles are requested, takes one of each child meanwhile and reports its path. */
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
    const json = await readFile(path, "utf8");
    bench.say(`\n${path}\n${summarizeProfile(json)}`);
    if (name === "ours") bench.profiled.push(...topFunctions(json, keptCount));
  }
};
