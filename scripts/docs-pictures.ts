import { ensureBackends, ensureBrowser } from "../libs/testkit/src/ensure-backends.ts";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run docs:pictures: takes the pictures of docs/pictures in a real browser. Look at them before you commit them.

await ensureBackends();
await ensureBrowser();
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "browser", "test/browser/pictures.long.test.ts"],
  { TEST_MATRIX: "long", WRITE_PICTURES: "1" },
);
