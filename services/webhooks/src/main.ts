import { runMain } from "@latchkey/service-kit";
import { webhooks } from "./service.ts";

await runMain(webhooks);
