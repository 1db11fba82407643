import { readFile } from "node:fs/promises";
import { operations } from "@latchkey/contracts";
import { expect, test } from "vitest";

test("the dashboard names existing operations", async () => {
  const text = await readFile("infra/observability/grafana-dashboard.json", "utf8");
  const named = [...text.matchAll(/\boperation[!=~]+\\"(\w+)/g)].map(([, name]) => name);
  const existing = Object.values(operations).flatMap((owned) => Object.keys(owned));
  expect(named.length).toBeGreaterThan(0);
  expect(existing).toEqual(expect.arrayContaining(named));
});
