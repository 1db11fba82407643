import { runCommand } from "./run-command.ts";

// npm run degradation: observes what every operation answers while something is away, and writes it into docs/degradation.md.

process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/failure/degradation.test.ts"],
  { WRITE_DEGRADATION: "1" },
);
