import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packFiles } from "./pack-files.ts";

const text = "a text that is worth packing ".repeat(100);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-packed-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/index.js"), text);
  await writeFile(join(folder, "assets/short.js"), "short");
  await writeFile(join(folder, "picture.png"), text);
  await packFiles(folder);
});
afterAll(() => rm(folder, { recursive: true }));

test("writes compressed files beside texts, except short ones", async () => {
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(
    [
      "assets",
      "assets/index.js",
      "assets/index.js.br",
      "assets/index.js.gz",
      "assets/short.js",
      "picture.png",
    ].toSorted(),
  );
});

test("restores the original content from the compressed file", async () => {
  const read = (name: string) => readFile(join(folder, "assets", name));
  expect(brotliDecompressSync(await read("index.js.br")).toString()).toBe(text);
  expect(gunzipSync(await read("index.js.gz")).toString()).toBe(text);
});
