import type { EventHandlers } from "@latchkey/service-kit";
import { deliverMail } from "./deliveries/deliver-mail.ts";
import type { Deps } from "./deps.ts";
import { verificationMail } from "./templates/verification.ts";

/** Which mail goes out on which event. */
export const createConsumers = (deps: Deps): EventHandlers<"mailer"> => ({
  "verification.requested": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...verificationMail(deps.config.appName, event.data),
    }),
});
