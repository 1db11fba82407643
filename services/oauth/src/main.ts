import { runMain } from "@latchkey/service-kit/run";
import { oauth } from "./service.ts";

await runMain(oauth);
