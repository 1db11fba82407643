import type { EventHandlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { forgetUser } from "./members/forget-user.ts";
import { noteBan } from "./members/note-ban.ts";

/** Maps each event to its handler. Handlers are idempotent, because events may be delivered twice. */
export const createConsumers = (deps: Deps): EventHandlers<"organization"> => ({
  "user.deleted": (event) => forgetUser(deps, event),
  "user.ban-changed": (event) => noteBan(deps, event),
});
