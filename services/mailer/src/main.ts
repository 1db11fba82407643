import { runMain } from "@latchkey/service-kit/run";
import { mailer } from "./service.ts";

await runMain(mailer);
