import type { EventConsumers } from "@latchkey/service-kit/run";
import type { Deps } from "./deps.ts";
import { forgetUser, recordBan } from "./organizations/forget-user.ts";

/** The consumer of each event. Consumers are idempotent, because events may be delivered twice. */
export const consumers: EventConsumers<"organization", Deps> = {
  "user.deleted": forgetUser,
  "user.ban-changed": recordBan,
};
