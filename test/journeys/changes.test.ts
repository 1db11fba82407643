import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = "docs/examples/changes";
const names = globSync("*.patch", { cwd: join(root, folder) }).map((file) => basename(file));
const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

/** `changes.long.test.ts` also compiles the result and runs its tests. */
test.each(names)("the example %s of CONTRIBUTING.md applies to the sources", (name) => {
  const check = () =>
    execFileSync("git", ["apply", "--check", join(folder, name)], { cwd: root, stdio: "pipe" });
  expect(check).not.toThrow();
  expect(contributing).toContain(`(${folder}/${name})`);
});
