import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFolder } from "./replace-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-place-"));
});
afterEach(() => rm(folder, { recursive: true }));

const make = async (name: string): Promise<string> => {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, "index.html"), name);
  return path;
};
const place = () => join(folder, "dist");
const read = () => readFile(join(place(), "index.html"), "utf8");

test("replaces an existing or missing folder and leaves nothing else behind", async () => {
  for (const name of ["dist-1", "dist-2"]) {
    await replaceFolder(await make(name), place());
    expect(await read()).toBe(name);
    expect(await readdir(folder)).toEqual(["dist"]);
  }
});

test("lets sixteen concurrent replacements succeed and keeps one of them complete", async () => {
  await make("dist");
  const made = await Promise.all(Array.from({ length: 16 }, (_, index) => make(`dist-${index}`)));
  await Promise.all(made.map((path) => replaceFolder(path, place())));
  expect(await read()).toMatch(/^dist-\d+$/);
  expect(await readdir(folder)).toEqual(["dist"]);
});

test("keeps the existing folder if the new one is missing", async () => {
  await make("dist");
  await expect(replaceFolder(join(folder, "dist-1"), place())).rejects.toThrow("ENOENT");
  expect(await read()).toBe("dist");
  expect(await readdir(folder)).toEqual(["dist"]);
});
