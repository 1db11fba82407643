import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run degradation: observes how every operation replies while a dependency is unavailable, and writes docs/degradation.md.

process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/reliability/failure/degradation.test.ts"],
  { WRITE_DEGRADATION: "1" },
);
