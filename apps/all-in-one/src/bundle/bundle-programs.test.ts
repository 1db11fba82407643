import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundlePrograms } from "./bundle-programs.ts";

const run = promisify(execFile);

const sources = {
  "program.ts": `import { fail } from "./barrel.ts";
    const { place } = await import("./later.ts");
    console.log(place, fail);`,
  "barrel.ts": `export * from "./fail.ts";`,
  "later.ts": `export const place: string = import.meta.dirname;`,
  "fail.ts": `export interface Unused {
      here: string;
    }
    export const fail = new Error("as expected").stack?.match(/\\w+\\.ts:\\d+/)?.[0];`,
};

let system: string;
beforeEach(async () => {
  system = await realpath(await mkdtemp(join(tmpdir(), "latchkey-bundle-")));
  for (const [name, text] of Object.entries(sources)) await writeFile(join(system, name), text);
});
afterEach(() => rm(system, { recursive: true }));

const bundle = () =>
  bundlePrograms({
    system,
    programs: ["program.ts"],
    folder: join(system, "out"),
    output: { entryFileNames: "program.mjs", sourcemap: true, sourcemapExcludeSources: true },
  });

test("a bundle finds the folder of its source, and its stack traces name the source", async () => {
  await bundle();
  const { stdout } = await run(process.execPath, [
    "--enable-source-maps",
    join(system, "out", "program.mjs"),
  ]);
  expect(stdout.trim()).toBe(`${system} fail.ts:4`);
});

test("every module is listed, even one without code of its own", async () => {
  const names = (await bundle()).map((path) => path.slice(system.length + 1));
  expect(names.toSorted()).toEqual(Object.keys(sources).toSorted());
});
