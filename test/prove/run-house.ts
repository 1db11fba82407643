import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit";
import { runAll } from "../../scripts/run-all.ts";
import { cheapHashes } from "./cheap-hashes.ts";
import { checkPlanted } from "./plant-faults.ts";

// A house with faults in a process of its own: tells where it is, and ends with whoever started it.

const config = JSON.parse(process.env["HOUSE"] ?? "") as LatchkeyConfig;
// Functions do not come by the environment.
const own = process.env["HASHES"] === "cheap" ? cheapHashes : {};
const running = await runAll(readSettings({ ...config, ...own }, process.env));
checkPlanted();
process.send?.({ door: running.urls.gateway, keys: running.urls.apikey });
process.once("disconnect", () => {
  void running.stop().finally(() => process.exit());
});
