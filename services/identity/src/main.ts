import { runMain } from "@latchkey/service-kit/run";
import { identity } from "./service.ts";

await runMain(identity);
