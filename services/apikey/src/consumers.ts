import type { EventHandlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { endKeysOfClaimed } from "./owners/end-keys-of-claimed.ts";
import { forgetOwner } from "./owners/forget-owner.ts";
import { noteBan } from "./owners/note-ban.ts";

/** Maps each event to its handler. Handlers are idempotent, because events may be delivered twice. */
export const createConsumers = (deps: Deps): EventHandlers<"apikey"> => ({
  "user.deleted": (event) => forgetOwner(deps, event),
  "user.claimed": (event) => endKeysOfClaimed(deps, event),
  "user.ban-changed": (event) => noteBan(deps, event),
});
