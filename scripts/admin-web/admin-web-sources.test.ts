import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stampOfSources } from "./admin-web-sources.ts";

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

test("the stamp changes with what is written in a source, and with its name", async () => {
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

test("what lies in one source is not taken for what lies in the next", async () => {
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

/** A copy of the folder, as packages and images make it, is built of the same. */
test("neither the age of a source nor its folder's place matters", async () => {
  await write("web/src/main.tsx", "a");
  await write("copy/src/main.tsx", "a");
  await utimes(join(folder, "copy/src/main.tsx"), new Date(0), new Date(0));
  expect(await stamp(join(folder, "copy"))).toBe(await stamp(join(folder, "web")));
});
