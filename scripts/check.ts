import { runCommand } from "./run-command.ts";

// npm run check: format, lint, types, dead code and whether the printed documents are fresh.

const checks: readonly [what: string, command: string, args: readonly string[]][] = [
  ["format", "oxfmt", ["--check"]],
  // Side by side, as neither keeps all of the machine busy.
  [
    "lint and types",
    "turbo",
    [
      "run",
      "lint",
      "types",
      "types:browser",
      "--continue",
      "--output-logs=errors-only",
      "--no-update-notifier",
    ],
  ],
  ["dead code", "knip", []],
  ["documents", process.execPath, ["scripts/docs.ts", "--check"]],
];

const failed: string[] = [];
for (const [what, command, args] of checks)
  if ((await runCommand(command, args)) !== 0) failed.push(what);
if (failed.length > 0) {
  process.stderr.write(`npm run check: not in order: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
