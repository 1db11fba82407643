import type { EventConsumers } from "@latchkey/service-kit";
import { revokeGrant } from "./accounts/revoke-grant.ts";
import type { Deps } from "./deps.ts";
import { endEarlierSessions } from "./sessions/end-earlier-sessions.ts";
import { endSessions } from "./sessions/end-sessions.ts";
import { takeOrganization } from "./sessions/forget-organization.ts";
import { renewUserSnapshots } from "./users/renew-user-snapshots.ts";

/** The consumer of each event. Each tolerates a repeated delivery. */
export const consumers: EventConsumers<"identity", Deps> = {
  "account.unlinked": revokeGrant,
  "member.removed": (deps, { data: { organizationId, userId } }) =>
    takeOrganization(deps, { organizationId, userIds: [userId] }),
  "organization.deleted": (deps, { data }) => takeOrganization(deps, data),
  "session.revoked-all": endEarlierSessions,
  "user.deleted": (deps, { data }) => endSessions(deps, data),
  "user.updated": (deps, { data }) => renewUserSnapshots(deps, data.userId),
};
