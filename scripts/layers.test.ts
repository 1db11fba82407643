import { expect, test } from "vitest";
import { findBreaches } from "./layers.ts";
import { readImports } from "./read-sources.ts";

const table = { "services/till": ["db", "coins", "admin"] };
const at = (path: string, ...imports: string[]) => ({
  path: `services/till/src/${path}`,
  imports: imports.map((one) => `services/till/src/${one}`),
});

test("accepts imports of lower layers, of the same folder and of files beside the folders", () => {
  const sources = [
    at("admin/list.ts", "coins/coin.ts", "db/tables.ts", "admin/page.ts", "deps.ts"),
  ];
  expect(findBreaches(sources, table)).toEqual({ upward: [], unlisted: [] });
});

test("reports an import of a higher layer", () => {
  const { upward } = findBreaches([at("db/tables.ts", "admin/page.ts")], table);
  expect(upward).toEqual(["services/till/src/db/tables.ts -> services/till/src/admin/page.ts"]);
});

test("reports a folder without a layer", () => {
  expect(findBreaches([at("new/one.ts")], table).unlisted).toEqual(["services/till/src/new"]);
});

test("reads static, dynamic and type imports, each path once", () => {
  const text = `import type { A } from "./a.ts";\nexport { b } from "../b.ts";\nawait import("./a.ts");`;
  expect(readImports("x/y/z.ts", text)).toEqual(["x/y/a.ts", "x/b.ts"]);
});
