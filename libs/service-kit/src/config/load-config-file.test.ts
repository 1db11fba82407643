import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfigFile } from "./load-config-file.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "latchkey-config-"));
  await writeFile(join(directory, "good.json"), '{"appName":"Mine"}');
  await writeFile(join(directory, "bad.json"), "{");
  await writeFile(join(directory, "good.ts"), "export default { appName: 'Typed' as string };");
  await writeFile(join(directory, "none.ts"), "export const appName = 'x';");
});
afterAll(() => rm(directory, { recursive: true }));

test("returns an empty tree without a file", async () => {
  expect(await loadConfigFile({}, directory)).toEqual({});
});

test.each([
  ["good.json", "Mine"],
  ["good.ts", "Typed"],
])("reads %s", async (file, appName) => {
  expect(await loadConfigFile({ LATCHKEY_CONFIG: file }, directory)).toEqual({ appName });
});

test.each(["bad.json", "none.ts", "absent.ts"])("rejects %s and names it", async (file) => {
  await expect(loadConfigFile({ LATCHKEY_CONFIG: file }, directory)).rejects.toThrow(file);
});
