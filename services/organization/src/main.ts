import { runMain } from "@latchkey/service-kit/run";
import { organization } from "./service.ts";

await runMain(organization);
