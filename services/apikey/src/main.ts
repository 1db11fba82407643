import { runMain } from "@latchkey/service-kit";
import { apikey } from "./service.ts";

await runMain(apikey);
