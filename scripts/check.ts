import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run check: checks format, lint, types, dead code and whether the generated documents are current.

const checks: readonly [what: string, command: string, args: readonly string[]][] = [
  ["format", "oxfmt", ["--check"]],
  // In parallel, because none uses all cores. The linter also checks the types, which its rules need anyway.
  [
    "lint, types, layers, names, dead code and language",
    "turbo",
    [
      "run",
      "lint",
      "dead-code",
      "prose",
      "layers",
      "names",
      "--continue",
      "--output-logs=errors-only",
      "--no-update-notifier",
    ],
  ],
  ["documents", process.execPath, ["scripts/docs.ts", "--check"]],
];

const failed: string[] = [];
for (const [what, command, args] of checks)
  if ((await runCommand(command, args)) !== 0) failed.push(what);
if (failed.length > 0) {
  process.stderr.write(`npm run check: failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
