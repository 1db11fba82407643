import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { first, second } from "./plants.ts";

const root = join(import.meta.dirname, "..", "..", "..");

test.each([...first, ...second])("finds the guard of the fault: $name", async ({ file, text }) => {
  expect((await readFile(join(root, file), "utf8")).split(text)).toHaveLength(2);
});
