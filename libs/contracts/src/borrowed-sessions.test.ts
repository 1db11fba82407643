import { expect, test } from "vitest";
import type { Operation } from "./operation.ts";
import { allOperations } from "./operations.ts";
import { refusesBorrowed } from "./step-up.ts";

// A session is borrowed when an admin impersonates its user, or when an API key opened it. It must not change a username, address,
// password, factor, provider or key, and must not receive a credential that outlasts it. A new operation that needs a session must
// refuse both, or be added to the lists below as a deliberate decision.

const openToBoth = [
  "deleteOauthConsent",
  "getOauthConsent",
  "getOauthPublicClient",
  "listOauthConsents",
  "updateOauthConsent",
  "addTeamMember",
  "deleteRole",
  "getActiveMemberRole",
  "getOrganization",
  "getRole",
  "listRoles",
  "listTeamMembers",
  "listUserTeams",
  "removeTeamMember",
  "acceptInvitation",
  "accountInfo",
  "cancelInvitation",
  "checkSlug",
  "createOrganization",
  "createTeam",
  "deleteOrganization",
  "getActiveMember",
  "getApiKey",
  "getFullOrganization",
  "getInvitation",
  "getToken",
  "getTwoFactorPolicy",
  "hasOrganizationPermission",
  "leaveOrganization",
  "listAccounts",
  "listApiKeys",
  "listInvitations",
  "listMembers",
  "listMembersWithoutTwoFactor",
  "listOrganizations",
  "listTeams",
  "listUserInvitations",
  "readAccountInfo",
  "readApiKeyUsage",
  "rejectInvitation",
  "removeMember",
  "removeTeam",
  "revokeOtherSessions",
  "revokeSession",
  "revokeSessions",
  "updateOrganization",
  "updateTeam",
  "updateUser",
  "uploadOrganizationPicture",
  "uploadPicture",
];

/** An impersonation gets handles from `listSessions`. Its own session has an active organization and additional fields. */
const openToImpersonators = [
  ...openToBoth,
  "listSessions",
  "listTrustedDevices",
  "readTwoFactorStatus",
  "listUserPasskeys",
  "setActiveOrganization",
  "setActiveTeam",
  "updateSession",
];

/** The key of an organization's admin may invite members. The key of an installation admin may call admin operations. */
const openToApiKeys = [
  ...openToBoth,
  "createRole",
  "updateRole",
  "adminAddMember",
  "adminAddTeamMember",
  "adminBanUser",
  "adminCancelInvitation",
  "adminCreateOrganization",
  "adminCreateOrganizationRole",
  "adminCreateTeam",
  "adminDeleteOrganization",
  "adminDiscardMessage",
  "adminGetApiKey",
  "adminGetOrganization",
  "adminGetUser",
  "adminHasPermission",
  "adminListApiKeyAudit",
  "adminListApiKeys",
  "adminListDeliveries",
  "adminListDeliveryAttempts",
  "adminListDuplicates",
  "adminListFailedMessages",
  "adminListIdentityAudit",
  "adminListInvitationMails",
  "adminListWebhooks",
  "adminGetWebhook",
  "adminPauseWebhook",
  "adminResumeWebhook",
  "adminTestWebhook",
  "adminDeleteOrganizationRole",
  "adminDeleteWebhook",
  "adminListWebhookDeliveries",
  "adminGetWebhookDelivery",
  "adminRetryWebhookDelivery",
  "adminRetryFailedWebhookDeliveries",
  "adminReplayWebhookEvents",
  "adminReadWebhookStatistics",
  "adminListEvents",
  "adminSearchEvents",
  "adminReplayEvent",
  "adminListWebhookAudit",
  "adminListOauthAudit",
  "adminListMailerAudit",
  "adminListOrganizationAudit",
  "adminListOrganizationMembers",
  "adminListOrganizations",
  "adminListPermissions",
  "adminListQueues",
  "adminListRefusedSignIns",
  "adminListSigningKeys",
  "adminListUserOrganizations",
  "adminListUsers",
  "adminReadApiKeyStatistics",
  "adminReadApiKeyUsage",
  "adminReadHealth",
  "adminReadIdentityStatistics",
  "adminReadMailStatistics",
  "adminReadSettings",
  "adminReadSignInMethods",
  "adminReadUser",
  "adminRemoveMember",
  "adminRemoveTeam",
  "adminRemoveTeamMember",
  "adminRemoveUser",
  "adminResendInvitation",
  "adminResetRateLimits",
  "adminRetryDelivery",
  "adminRetryMessage",
  "adminRevokeUserSession",
  "adminRevokeUserSessions",
  "adminRotateSigningKeys",
  "adminSendPasswordReset",
  "adminSendVerification",
  "adminSetMemberRole",
  "adminStopImpersonating",
  "adminTestRedirect",
  "adminUpdateMember",
  "adminUpdateOrganization",
  "adminUpdateOrganizationRole",
  "adminUpdateTeam",
  "inviteMember",
  "resendInvitation",
  "updateMemberRole",
];

const isOfAdmin = ({ path }: Operation) => path.startsWith("/admin/");
const namesOf = (ask: (operation: Operation) => boolean) =>
  allOperations
    .filter(({ exposure, access }) => exposure === "public" && access !== "anyone")
    .filter(ask)
    .map(({ name }) => name)
    .toSorted();

test("an impersonation may call no admin operation except the one that ends it", () => {
  const open = (declared: Operation) => isOfAdmin(declared) && !declared.refusesImpersonators;
  expect(namesOf(open)).toEqual(["adminStopImpersonating"]);
});

test("an impersonation may call only the listed operations", () => {
  const open = (declared: Operation) => !isOfAdmin(declared) && !declared.refusesImpersonators;
  expect(namesOf(open)).toEqual(openToImpersonators.toSorted());
});

test("a session of an API key may call only the listed operations", () => {
  expect(namesOf(({ refusesApiKeys }) => !refusesApiKeys)).toEqual(openToApiKeys.toSorted());
});

/** Operations that require a strong session of their other callers. They give nobody access that outlasts the session. */
const admitting = [
  "adminBanUser",
  "adminDeleteOrganization",
  "adminRemoveUser",
  "adminResetRateLimits",
  "adminRotateSigningKeys",
  "adminSendPasswordReset",
  "deleteOrganization",
];

test("borrowed sessions, which cannot become strong, may call only the listed operations that require it", () => {
  const mayRequireStepUp = ({ stepUp }: Operation) =>
    stepUp.asks !== "never" && typeof stepUp.when !== "function";
  const open = (declared: Operation) =>
    mayRequireStepUp(declared) && !(declared.refusesApiKeys && declared.refusesImpersonators);
  expect(namesOf(open)).toEqual(admitting);
  expect(namesOf((declared) => open(declared) && refusesBorrowed(declared.stepUp))).toEqual([]);
});

test("every sign-in method that an operation declares is a member of its body", () => {
  for (const { body, waysIn = [] } of allOperations)
    for (const name of waysIn) expect(body?.shape).toHaveProperty(name);
});
