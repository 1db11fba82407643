import type { EventHandlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { forgetOwner } from "./owners/forget-owner.ts";
import { noteBan } from "./owners/note-ban.ts";

/** Which feature acts on which event; each may be delivered twice without harm. */
export const createConsumers = (deps: Deps): EventHandlers<"apikey"> => ({
  "user.deleted": (event) => forgetOwner(deps, event),
  "user.ban-changed": (event) => noteBan(deps, event),
});
