import { mkdir, mkdtemp, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { matchesSources, stampOfSources } from "./web-sources.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-sources-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (path: string, text: string): Promise<void> => {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};
const stamp = (directory = folder) => stampOfSources([directory]);

test("changes the stamp with the content and the name of a source", async () => {
  await write("src/main.tsx", "a");
  await write("index.html", "b");
  const first = await stamp();
  await write("src/main.tsx", "A");
  const second = await stamp();
  await rename(join(folder, "index.html"), join(folder, "other.html"));
  const third = await stamp();
  await write("src/more.tsx", "");
  expect(new Set([first, second, third, await stamp()]).size).toBe(4);
});

test("distinguishes content of one source from content of the next", async () => {
  await write("one", "a");
  await write("two", "b");
  const first = await stamp();
  await write("one", "");
  await write("two", "ab");
  expect(await stamp()).not.toBe(first);
});

test.each([
  "src/main.test.tsx",
  "src/rules.test.ts",
  "README.md",
  "dist/index.html",
  "dist-12/a.js",
  "dist-12-1/a.js",
  "node_modules/a/b.js",
  ".turbo/turbo-types.log",
  "src/.main.tsx.swp",
])("%s is no source", async (path) => {
  await write("src/main.tsx", "a");
  const first = await stamp();
  await write(path, "b");
  expect(await stamp()).toBe(first);
});

/** A copied folder, as in packages and images, must yield the same stamp. */
test("ignores the age of a source and the place of its folder", async () => {
  await write("web/src/main.tsx", "a");
  await write("copy/src/main.tsx", "a");
  await utimes(join(folder, "copy/src/main.tsx"), new Date(0), new Date(0));
  expect(await stamp(join(folder, "copy"))).toBe(await stamp(join(folder, "web")));
});

describe("a build output", () => {
  const built = () => join(folder, "dist");
  const isCurrent = () => matchesSources(built(), [folder]);
  const build = async () => {
    await mkdir(built(), { recursive: true });
    await writeFile(join(built(), ".stamp"), await stamp());
  };

  test("matches until a source changes, also to content of the same length and age", async () => {
    await write("src/main.tsx", "a");
    expect(await isCurrent()).toBe(false);
    await build();
    expect([await isCurrent(), await isCurrent()]).toEqual([true, true]);
    const { atime, mtime } = await stat(join(folder, "src/main.tsx"));
    await write("src/main.tsx", "b");
    await utimes(join(folder, "src/main.tsx"), atime, mtime);
    expect(await isCurrent()).toBe(false);
    await build();
    expect(await isCurrent()).toBe(true);
  });

  test("does not match after a source was added or removed", async () => {
    await write("src/main.tsx", "a");
    await build();
    expect(await isCurrent()).toBe(true);
    await write("src/more.tsx", "");
    expect(await isCurrent()).toBe(false);
    await rm(join(folder, "src/more.tsx"));
    expect(await isCurrent()).toBe(true);
  });
});
