import { spawnSync } from "node:child_process";

// npm run degradation: observes what every operation answers while something is away, and writes it into docs/degradation.md.

const { status } = spawnSync(
  "vitest",
  ["run", "--project", "system", "test/failure/degradation.test.ts"],
  { stdio: "inherit", env: { ...process.env, WRITE_DEGRADATION: "1" } },
);
process.exitCode = status ?? 1;
