import type { EventHandlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { renewUserCopies } from "./users/renew-user-copies.ts";

/** Which feature acts on which event; each may be delivered twice without harm. */
export const createConsumers = (deps: Deps): EventHandlers<"identity"> => ({
  "user.updated": (event) => renewUserCopies(deps, event.data.userId),
});
