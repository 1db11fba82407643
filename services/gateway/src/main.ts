import { runMain } from "@latchkey/service-kit";
import { gateway } from "./service.ts";

await runMain(gateway);
