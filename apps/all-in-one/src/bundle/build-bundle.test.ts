import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildBundle, bundledPrograms } from "./build-bundle.ts";

const run = promisify(execFile);

// The launcher is old JavaScript without types.
const launcher = new URL("../../../cli/bin/bundled-program.js", import.meta.url).href;
const { bundledProgram } = (await import(launcher)) as {
  bundledProgram: (root: string, program: string) => string | undefined;
};

let root: string;
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "latchkey-build-")));
  await write("node_modules/.package-lock.json", "{}");
  for (const program of bundledPrograms) {
    await write(join(program, "../../package.json"), "{}");
    await write(program, `console.log(${JSON.stringify(program)});`);
  }
  await delay(50); // a source must be older than the build
});
afterEach(() => rm(root, { recursive: true }));

const bundles = async (): Promise<string[]> => {
  const names = await readdir(join(root, "node_modules/.cache/programs"));
  return names.filter((name) => !name.startsWith("programs.json"));
};

test("the launcher finds every program in the bundle", async () => {
  await buildBundle(root);
  for (const program of bundledPrograms) {
    const { stdout } = await run(process.execPath, [bundledProgram(root, program) ?? ""]);
    expect(stdout.trim()).toBe(program);
  }
});

test("a build leaves the bundle that another process has finished before it", async () => {
  await buildBundle(root);
  const [first] = await bundles();
  await buildBundle(root);
  expect(await bundles()).toEqual([first]);
});

test("an installation that was moved is bundled anew, because a bundle contains its paths", async () => {
  await buildBundle(root);
  const [first = ""] = await bundles();
  const moved = `${root}-moved`;
  await rename(root, moved);
  root = moved;
  const [program = ""] = bundledPrograms;
  expect(bundledProgram(root, program)).toBeUndefined();
  await buildBundle(root);
  expect(bundledProgram(root, program)).not.toContain(first);
});

test("an incomplete bundle is replaced", async () => {
  await buildBundle(root);
  const [first = ""] = await bundles();
  const [program = ""] = bundledPrograms;
  await rm(bundledProgram(root, program) ?? "");
  await buildBundle(root);
  const found = bundledProgram(root, program) ?? first;
  expect(dirname(found).endsWith(first)).toBe(false);
});

test("a source that changes during a build is not in a bundle, and the build leaves nothing", async () => {
  const building = buildBundle(root);
  await write(bundledPrograms[0] ?? "", "console.log('changed');");
  await expect(building).rejects.toThrow("has changed during the build");
  expect(await bundles()).toEqual([]);
});
