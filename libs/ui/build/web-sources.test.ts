import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stampOfSources } from "./web-sources.ts";

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
