import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = "docs/examples/changes";
const patches = globSync(`${folder}/*.patch`, { cwd: root });

/** The test files that an example changes or adds. */
const testsOf = (patch: string) =>
  [...readFileSync(join(root, patch), "utf8").matchAll(/^\+\+\+ b\/(\S+\.test\.ts)$/gm)].map(
    ([, file = ""]) => file,
  );

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "latchkey-changes-"));
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\/(?:\.git|\.data|\.cache)$/.test(path),
  });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: copy, encoding: "utf8", stdio: "pipe" });
const runNode = (file: string, ...args: string[]) => run(process.execPath, file, ...args);

test("all examples together compile, and their tests pass", () => {
  for (const patch of patches) run("git", "apply", patch);
  runNode("node_modules/typescript/bin/tsc", "--noEmit");
  const tests = [...new Set(patches.flatMap(testsOf))];
  expect(tests.length).toBeGreaterThanOrEqual(patches.length);
  const report = runNode("node_modules/vitest/vitest.mjs", "run", ...tests);
  expect(report).toContain("passed");
});
