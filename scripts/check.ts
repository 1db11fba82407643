import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run check: checks format, lint, types, dead code and whether the generated documents are current.

const checks: readonly [what: string, command: string, args: readonly string[]][] = [
  ["format", "oxfmt", ["--check"]],
  // One program for both, because rules that are aware of types need the same types.
  ["lint and types", "oxlint", ["--type-aware", "--type-check", "--deny-warnings"]],
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
