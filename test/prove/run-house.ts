import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit";
import { runAll } from "../../scripts/run-all.ts";
import { cheapPasswords } from "../cheap-passwords.ts";
import { checkPlanted } from "./plant-faults.ts";

// A house with faults in a process of its own: tells where it is, and ends with whoever started it.

const config = JSON.parse(process.env["HOUSE"] ?? "") as LatchkeyConfig;
// Functions do not come by the environment.
const isCheap = process.env["HASHES"] === "cheap";
const own = isCheap ? { emailAndPassword: { password: cheapPasswords } } : {};
const running = await runAll(readSettings({ ...config, ...own }, process.env));
checkPlanted();
process.send?.({ door: running.urls.gateway, keys: running.urls.apikey });
process.once("disconnect", () => {
  void running.stop().finally(() => process.exit());
});
