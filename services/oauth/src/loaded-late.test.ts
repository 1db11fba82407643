import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const staticImport = /^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm;

/** Returns the packages that a module imports as soon as it is loaded, itself or by other modules of this service. */
const packagesOf = (path: string, seen = new Set<string>()): string[] => {
  if (seen.has(path)) return [];
  seen.add(path);
  return [...readFileSync(path, "utf8").matchAll(staticImport)].flatMap(([, name = ""]) =>
    name.startsWith(".") ? packagesOf(join(dirname(path), name), seen) : [name],
  );
};

/** It takes memory and time that an installation without the provider need not spend. */
test.each(["service.ts", "commands.ts"])(
  "%s does not load oidc-provider before it is used",
  (name) => {
    expect(packagesOf(join(import.meta.dirname, name))).not.toContain("oidc-provider");
  },
);

test("the engine does", () => {
  expect(packagesOf(join(import.meta.dirname, "engine", "engine.ts"))).toContain("oidc-provider");
});
