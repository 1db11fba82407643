import type { EventConsumers } from "@latchkey/service-kit/run";
import type { Deps } from "./deps.ts";
import { forgetUser, mergeKeys, separateKeys } from "./merges/merge-keys.ts";
import {
  disableKeysOfSecured,
  endKeySessions,
  endKeysOfClaimed,
  forgetOrganization,
  recordBan,
} from "./owners/owner-events.ts";

/** The consumer of each event. Consumers are idempotent, because events may be delivered twice. */
export const consumers: EventConsumers<"apikey", Deps> = {
  "user.deleted": forgetUser,
  "user.merged": mergeKeys,
  "user.merge-undone": separateKeys,
  "organization.deleted": forgetOrganization,
  "user.claimed": endKeysOfClaimed,
  "user.secured": disableKeysOfSecured,
  "key-sessions.ended": endKeySessions,
  "user.ban-changed": recordBan,
};
