import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Child } from "./child.ts";
import { summarizeProfile, topFunctions } from "./summarize-profile.ts";

const keptCount = 15;

/** Runs the work, takes a profile of the child meanwhile and reports its path. */
export const profileDuring = async (
  bench: Bench,
  { name, child }: { name: "ours" | "floor"; child: Child },
  work: () => Promise<void>,
): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-profile-"));
  await child.call("startProfile");
  await work();
  const path = join(directory, `${name}.cpuprofile`);
  await child.call("writeProfile", { path });
  const json = await readFile(path, "utf8");
  bench.say(`\n${path}\n${summarizeProfile(json)}`);
  if (name === "ours") bench.profiled.push(...topFunctions(json, keptCount));
};
