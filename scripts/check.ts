import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run check: checks format, lint, types, dead code and whether the generated documents are current.

const checks: readonly [what: string, command: string, args: readonly string[]][] = [
  ["format", "oxfmt", ["--check"]],
  // In parallel, because neither uses all cores.
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
  ["language", process.execPath, ["scripts/prose.ts"]],
  ["documents", process.execPath, ["scripts/docs.ts", "--check"]],
];

const failed: string[] = [];
for (const [what, command, args] of checks)
  if ((await runCommand(command, args)) !== 0) failed.push(what);
if (failed.length > 0) {
  process.stderr.write(`npm run check: failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
