import type { EventHandlers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { revokeGrant } from "./accounts/revoke-grant.ts";
import { endEarlierSessions } from "./sessions/end-earlier-sessions.ts";
import { endSessions } from "./sessions/end-sessions.ts";
import { takeOrganization } from "./sessions/forget-organization.ts";
import { renewUserCopies } from "./users/renew-user-copies.ts";

/** Maps events to their consumers. Each tolerates a repeated delivery. */
export const createConsumers = (deps: Deps): EventHandlers<"identity"> => ({
  "account.unlinked": (event) => revokeGrant(deps, event),
  "member.removed": async ({ data: { organizationId, userId } }) => {
    await takeOrganization(deps, { organizationId, userIds: [userId] });
  },
  "organization.deleted": async ({ data }) => {
    await takeOrganization(deps, data);
  },
  "session.revoked-all": (event) => endEarlierSessions(deps, event),
  "user.deleted": ({ data }) => endSessions(deps, data),
  "user.updated": (event) => renewUserCopies(deps, event.data.userId),
});
