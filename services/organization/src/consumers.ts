import type { EventHandlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { forgetUser } from "./members/forget-user.ts";

/** Which feature acts on which event; each may be delivered twice without harm. */
export const createConsumers = (deps: Deps): EventHandlers<"organization"> => ({
  "user.deleted": (event) => forgetUser(deps, event),
});
