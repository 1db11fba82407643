import { runMain } from "@latchkey/service-kit";
import { identity } from "./service.ts";

await runMain(identity);
