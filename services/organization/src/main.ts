import { runMain } from "@latchkey/service-kit";
import { organization } from "./service.ts";

await runMain(organization);
