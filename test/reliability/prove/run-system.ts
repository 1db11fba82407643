import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { runAll } from "../../../apps/all-in-one/src/run-all.ts";
import { cheapPasswords } from "../../harness/cheap-passwords.ts";
import { checkPlanted } from "./plant-faults.ts";

// Runs a system with faults in a separate process. Reports its addresses, and ends with its parent.

const config = JSON.parse(process.env["CONFIG"] ?? "") as LatchkeyConfig;
// Functions cannot be passed in the environment.
const isCheap = process.env["PASSWORDS"] === "cheap";
const own = isCheap ? { emailAndPassword: { password: cheapPasswords } } : {};
const running = await runAll(readSettings({ ...config, ...own }, process.env));
checkPlanted();
process.send?.({ gateway: running.urls.gateway, keys: running.urls.apikey });
process.once("disconnect", () => {
  void running.stop().finally(() => process.exit());
});
