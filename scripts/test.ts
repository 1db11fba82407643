import { ensureBackends } from "./backends.ts";
import { runCommand } from "./run-command.ts";

// npm test: what the checks say, then every test on real backends, which are installed where that can be done.

await ensureBackends();
const checked = await runCommand(process.execPath, ["scripts/check.ts"]);
const tested = await runCommand("vitest", ["run"]);
process.exitCode = checked || tested;
