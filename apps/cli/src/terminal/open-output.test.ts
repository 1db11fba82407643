import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withOutput } from "./open-output.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("writes a new file that only its owner can read", async () => {
  const file = join(folder, "new");
  const result = await withOutput(file, async (write) => {
    await write("one");
    await write("two");
    return 2;
  });
  expect([result, await readFile(file, "utf8")]).toEqual([2, "one\ntwo\n"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("does not overwrite an existing file", async () => {
  const file = join(folder, "there");
  await writeFile(file, "before");
  await expect(withOutput(file, async () => {})).rejects.toThrow("is there already");
  expect(await readFile(file, "utf8")).toBe("before");
});

test("removes an incomplete file", async () => {
  const file = join(folder, "half");
  const work = withOutput(file, async (write) => {
    await write("one");
    throw new Error("the database is gone");
  });
  await expect(work).rejects.toThrow("the database is gone");
  await expect(stat(file)).rejects.toThrow("ENOENT");
});
