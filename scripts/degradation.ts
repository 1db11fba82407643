import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run degradation: observes how every operation replies while a dependency is unavailable, and writes docs/degradation.md.

process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/reliability/failure/degradation.long.test.ts"],
  { TEST_MATRIX: "long", WRITE_DEGRADATION: "1" },
);
