import type { EventConsumers } from "@latchkey/service-kit/run";
import { revokeGrant } from "./accounts/revoke-grant.ts";
import type { Deps } from "./deps.ts";
import { endEarlierSessions, endSessions } from "./sessions/end-sessions.ts";

import { takeOrganization } from "./sessions/active-organization.ts";
import { renewUserSnapshots } from "./users/renew-user-snapshots.ts";

/** The consumer of each event. Each tolerates a repeated delivery. */
export const consumers: EventConsumers<"identity", Deps> = {
  "account.unlinked": revokeGrant,
  "member.removed": (deps, { data: { organizationId, userId } }) =>
    takeOrganization(deps, { organizationId, userIds: [userId] }),
  "organization.deleted": (deps, { data }) => takeOrganization(deps, data),
  "team-members.removed": (deps, { data }) => takeOrganization(deps, data),
  "session.revoked-all": endEarlierSessions,
  // In case the process that deleted the user died before it did so.
  "user.deleted": (deps, { data: { userId } }) =>
    endSessions(deps, { userId, actor: { kind: "system" } }),
  "user.updated": (deps, { data }) => renewUserSnapshots(deps, data.userId),
};
