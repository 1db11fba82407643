import { runMain } from "@latchkey/service-kit/run";
import { gateway } from "./service.ts";

await runMain(gateway);
