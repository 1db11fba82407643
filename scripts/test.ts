import { join } from "node:path";
import { keepWebsBuilt } from "../libs/ui/build/build-webs.ts";
import {
  ensureBackends,
  ensureBrowser,
  ensurePostgresTools,
  ensurePython,
} from "../libs/testkit/src/ensure-backends.ts";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm test: runs the checks, then every test on real backends, which it installs if possible. Builds the admin web first, because browser
// tests use the built one.

// Hundreds of processes load the same packages, so a shared cache saves compilation.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "../node_modules/.cache/compiled");

await ensureBackends();
await ensurePostgresTools();
await ensurePython();
await ensureBrowser();
const checked = await runCommand(process.execPath, ["scripts/check.ts"]);
await keepWebsBuilt();
const tested = await runCommand("vitest", ["run"]);
process.exitCode = checked || tested;
