import { keepWebsBuilt } from "../libs/ui/build/build-webs.ts";
import {
  ensureBackends,
  ensureBrowser,
  ensurePostgresTools,
  ensurePython,
} from "../libs/testkit/src/ensure-backends.ts";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm test: runs the checks, then every test on real backends, which it installs if possible. Builds the webs meanwhile, because browser
// tests use the built ones.

await ensureBackends();
await ensurePostgresTools();
await ensurePython();
await ensureBrowser();
const [checked] = await Promise.all([
  runCommand(process.execPath, ["scripts/check.ts"]),
  keepWebsBuilt(),
]);
const tested = await runCommand("vitest", ["run"]);
process.exitCode = checked || tested;
