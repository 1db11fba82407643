import { runMain } from "@latchkey/service-kit/run";
import { webhooks } from "./service.ts";

await runMain(webhooks);
