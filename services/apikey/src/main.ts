import { runMain } from "@latchkey/service-kit/run";
import { apikey } from "./service.ts";

await runMain(apikey);
