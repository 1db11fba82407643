import { runMain } from "@latchkey/service-kit";
import { mailer } from "./service.ts";

await runMain(mailer);
