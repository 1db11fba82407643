import { join } from "node:path";
import { keepAdminWebBuilt } from "./admin-web/build-admin-web.ts";
import { ensureBackends, ensureBrowser, ensurePostgresTools } from "./backends.ts";
import { runCommand } from "./run-command.ts";

// npm test: what the checks say, then every test on real backends, which are installed where that can be done. The admin web is
// built before, since a browser sees it as it is served.

// Hundreds of processes load the same packages: what they compile is kept for the next one.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "../node_modules/.cache/compiled");

await ensureBackends();
await ensurePostgresTools();
await ensureBrowser();
const checked = await runCommand(process.execPath, ["scripts/check.ts"]);
await keepAdminWebBuilt();
const tested = await runCommand("vitest", ["run"]);
process.exitCode = checked || tested;
