import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildBundle, bundledPrograms } from "./build-bundle.ts";
import { bundledProgram } from "./launcher.fixture.ts";

const run = promisify(execFile);

const start = "apps/all-in-one/src/start.ts";

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
  return names.filter((name) => name !== "programs.json");
};

test("the launcher finds every program in the bundle", async () => {
  await buildBundle(root);
  for (const program of bundledPrograms) {
    const { stdout } = await run(process.execPath, [bundledProgram(root, program) ?? ""]);
    expect(stdout.trim()).toBe(program);
  }
});

test("processes that build at once end with one bundle", async () => {
  await Promise.all(Array.from({ length: 4 }, () => buildBundle(root)));
  const [bundle, ...others] = await bundles();
  expect(others).toEqual([]);
  expect(bundledProgram(root, start)).toContain(bundle);
});

test("a later build keeps the four last bundles, from which programs may still run", async () => {
  await buildBundle(root);
  const folder = join(root, "node_modules/.cache/programs");
  for (let hours = 1; hours <= 6; hours += 1) {
    const earlier = join(folder, `${hours} hours old`);
    await mkdir(earlier);
    const changedAt = new Date(Date.now() - hours * 3_600_000);
    await utimes(earlier, changedAt, changedAt);
  }
  await buildBundle(root);
  const remaining = (await bundles()).filter((name) => name.endsWith("hours old"));
  expect(remaining.toSorted()).toEqual([1, 2, 3, 4].map((hours) => `${hours} hours old`));
});

test("an installation that was moved is bundled anew, because a bundle contains its paths", async () => {
  await buildBundle(root);
  const moved = `${root}-moved`;
  await rename(root, moved);
  root = moved;
  expect(bundledProgram(root, start)).toBeUndefined();
  await buildBundle(root);
  expect(bundledProgram(root, start)).toContain(moved);
  expect(await bundles()).toHaveLength(2);
});

test("an incomplete bundle is replaced", async () => {
  await buildBundle(root);
  const bundled = bundledProgram(root, start) ?? "";
  await rm(bundled);
  expect(bundledProgram(root, start)).toBeUndefined();
  await buildBundle(root);
  expect(bundledProgram(root, start)).toBe(bundled);
});

test("a source that changes during a build is not in a bundle, and the build leaves nothing", async () => {
  const building = buildBundle(root);
  await write(start, "console.log('changed');");
  await expect(building).rejects.toThrow("has changed during the build");
  expect(await bundles()).toEqual([]);
});
