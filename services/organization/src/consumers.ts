import type { EventConsumers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { forgetUser } from "./members/forget-user.ts";
import { recordBan } from "./members/record-ban.ts";

/** The consumer of each event. Consumers are idempotent, because events may be delivered twice. */
export const consumers: EventConsumers<"organization", Deps> = {
  "user.deleted": forgetUser,
  "user.ban-changed": recordBan,
};
