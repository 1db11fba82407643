import type { Check } from "./check.ts";
import { gatewayLimit } from "./checks/counters/gateway-limit.ts";
import { invitationLimit } from "./checks/counters/invitation-limit.ts";
import { keyRate } from "./checks/counters/key-rate.ts";
import { mailedInvitations } from "./checks/counters/mailed-invitations.ts";
import { membershipLimit } from "./checks/counters/membership-limit.ts";
import { organizationLimit } from "./checks/counters/organization-limit.ts";
import { remaining } from "./checks/counters/remaining.ts";
import { sameAnswers } from "./checks/enumeration/same-answers.ts";
import { sameTimes } from "./checks/enumeration/same-times.ts";
import { deletionLink } from "./checks/once/deletion-link.ts";
import { invitation } from "./checks/once/invitation.ts";
import { lastOwner } from "./checks/once/last-owner.ts";
import { lastUse } from "./checks/once/last-use.ts";
import { resetLink } from "./checks/once/reset-link.ts";
import { signInState } from "./checks/once/sign-in-state.ts";
import { signUp } from "./checks/once/sign-up.ts";
import { slug } from "./checks/once/slug.ts";
import { username } from "./checks/once/username.ts";
import { foreignHosts } from "./checks/redirects/foreign-hosts.ts";
import { foreignOrigins } from "./checks/redirects/foreign-origins.ts";
import { redirectFields } from "./checks/redirects/redirect-fields.ts";
import { keyEndings } from "./checks/revocation/keys.ts";
import { removedMember, takenRole } from "./checks/revocation/roles.ts";
import { sessionEndings } from "./checks/revocation/sessions.ts";
import { foreignIds } from "./checks/tenants/foreign-ids.ts";
import { membersAsOwners } from "./checks/tenants/members-as-owners.ts";
import { strangers } from "./checks/tenants/strangers.ts";
import { usersAsAdmins } from "./checks/tenants/users-as-admins.ts";

/** All checks in the order in which they run. */
export const allChecks: readonly Check[] = [
  signUp,
  username,
  slug,
  invitation,
  lastOwner,
  lastUse,
  resetLink,
  deletionLink,
  signInState,
  remaining,
  keyRate,
  membershipLimit,
  invitationLimit,
  mailedInvitations,
  organizationLimit,
  gatewayLimit,
  strangers,
  usersAsAdmins,
  foreignIds,
  membersAsOwners,
  redirectFields,
  foreignOrigins,
  foreignHosts,
  sameAnswers,
  ...sameTimes,
  ...sessionEndings,
  takenRole,
  removedMember,
  ...keyEndings,
];
