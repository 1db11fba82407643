import type { EventConsumers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { forgetOrganization } from "./organizations/forget-organization.ts";
import { disableKeysOfSecured } from "./owners/disable-keys-of-secured.ts";
import { endKeysOfClaimed } from "./owners/end-keys-of-claimed.ts";
import { forgetOwner } from "./owners/forget-owner.ts";
import { recordBan } from "./owners/record-ban.ts";

/** The consumer of each event. Consumers are idempotent, because events may be delivered twice. */
export const consumers: EventConsumers<"apikey", Deps> = {
  "user.deleted": forgetOwner,
  "organization.deleted": forgetOrganization,
  "user.claimed": endKeysOfClaimed,
  "user.secured": disableKeysOfSecured,
  "user.ban-changed": recordBan,
};
