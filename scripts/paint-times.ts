import { ensureBackends, ensureBrowser } from "../libs/testkit/src/ensure-backends.ts";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run paint-times: measures when the first screens of both webs are painted and usable, in a real browser on a slow line. Run it on a
// machine that does nothing else.

await ensureBackends();
await ensureBrowser();
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "browser", "test/browser/paint-times.long.test.ts"],
  { TEST_MATRIX: "long", MEASURE_PAINTS: "1" },
);
