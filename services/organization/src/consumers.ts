import type { EventConsumers } from "@latchkey/service-kit/run";
import type { Deps } from "./deps.ts";
import { mergeMembers, separateMembers } from "./members/merge-members.ts";
import { forgetUser, recordBan } from "./organizations/forget-user.ts";

/** The consumer of each event. Consumers are idempotent, because events may be delivered twice. */
export const consumers: EventConsumers<"organization", Deps> = {
  "user.deleted": forgetUser,
  "user.merged": mergeMembers,
  "user.merge-undone": separateMembers,
  "user.ban-changed": recordBan,
};
