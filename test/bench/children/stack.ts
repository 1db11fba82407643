import type { ServiceName } from "@latchkey/contracts";
import { runAll, type RunningAll } from "../../../apps/all-in-one/src/run-all.ts";
import { serveParent } from "../harness/serve-parent.ts";
import { type StackInput, stackSettings } from "../harness/stack-settings.ts";

// All services of the system in one process.

let running: RunningAll | undefined;

serveParent({
  start: async (input: StackInput) => {
    running = await runAll(stackSettings(input));
    return running.url;
  },
  urlOf: (service: ServiceName) => running?.services[service]?.url,
  stop: () => running?.stop(),
});
