import { describe, expect, test } from "vitest";
import type { Operation } from "./operation.ts";
import { allOperations } from "./operations.ts";
import { optionsSchema } from "./options.ts";
import { requiresStrong } from "./step-up.ts";

const { admin, organization } = optionsSchema.parse({
  admin: { roles: { admin: { user: ["create"] }, support: { user: ["list"] }, user: {} } },
  organization: {
    roles: {
      owner: { organization: ["update", "delete"] },
      admin: { member: ["update"] },
      developer: { apiKey: ["read", "create"] },
      auditor: { apiKey: ["read"], webhook: ["read"], report: ["write"] },
      member: {},
    },
  },
});

/** Operations with a session whose decision is that they need no proof, although they change something. */
const changesWithoutProof = [
  "acceptInvitation",
  "addTeamMember",
  "adminAddTeamMember",
  "adminCancelInvitation",
  "adminCreateOrganization",
  "adminCreateTeam",
  "adminDeleteApiKey",
  "adminDeleteOrganizationRole",
  "adminDeleteWebhook",
  "adminDisableApiKey",
  "adminDiscardMessage",
  "adminEndFormerOauthSecret",
  "adminPauseWebhook",
  "adminRemoveMember",
  "adminRemoveTeam",
  "adminRemoveTeamMember",
  "adminReplayEvent",
  "adminReplayWebhookEvents",
  "adminResendInvitation",
  "adminResumeWebhook",
  "adminRetryDelivery",
  "adminRetryFailedWebhookDeliveries",
  "adminRetryMessage",
  "adminRetryWebhookDelivery",
  "adminRevokeUserSession",
  "adminRevokeUserSessions",
  "adminSendVerification",
  "adminStopImpersonating",
  "adminTestWebhook",
  "adminUpdateMember",
  "adminUpdateOrganization",
  "adminUpdateTeam",
  "adminWithdrawOauthConsents",
  "cancelInvitation",
  "changePassword",
  "createOrganization",
  "createTeam",
  "deleteAnonymousUser",
  "deleteApiKey",
  "deleteOauthClient",
  "deleteOauthConsent",
  "deleteOrganizationWebhook",
  "deleteRole",
  "denyDevice",
  "leaveOrganization",
  "oauthConsent",
  "oauthContinue",
  "rejectInvitation",
  "removeMember",
  "removeTeam",
  "removeTeamMember",
  "resendInvitation",
  "retryOrganizationWebhookDelivery",
  "revokeDeviceSession",
  "revokeOtherSessions",
  "revokeSession",
  "revokeSessions",
  "revokeTrustedDevice",
  "setActiveOrganization",
  "setActiveTeam",
  "testOrganizationWebhook",
  "updateOauthConsent",
  "updateOrganization",
  "updatePasskey",
  "updateSession",
  "updateTeam",
  "uploadOrganizationPicture",
  "uploadPicture",
  "verifyPassword",
];

const namesOf = (ask: (operation: Operation) => boolean) =>
  allOperations
    .filter(ask)
    .map(({ name }) => name)
    .toSorted();

test.each(allOperations.map((declared) => [declared.name, declared] as const))(
  "%s declares whether it requires a strong session, and why",
  (_name, { access, exposure, stepUp }) => {
    expect(stepUp.because).toMatch(/^[A-Z].+\.$/);
    const { because } = stepUp;
    expect(because === "Only services call it.").toBe(exposure === "internal");
    if (because === "It works without a session.") expect(access).toBe("anyone");
  },
);

test("an operation that changes something without a proof is listed here as a deliberate decision", () => {
  const open = ({ access, exposure, method, stepUp }: Operation) =>
    exposure === "public" &&
    access !== "anyone" &&
    method === "POST" &&
    stepUp.asks === "never" &&
    stepUp.because !== "It only reads.";
  expect(namesOf(open)).toEqual(changesWithoutProof);
});

test("an operation that only reads is a GET, or one of a few questions", () => {
  const onlyReads = ({ method, stepUp }: Operation) =>
    method === "POST" && stepUp.because === "It only reads.";
  expect(namesOf(onlyReads)).toEqual([
    "accountInfo",
    "adminHasPermission",
    "adminListUserSessions",
    "adminTestRedirect",
    "checkSlug",
    "hasOrganizationPermission",
  ]);
});

const requiresStepUp = (name: string, body?: object, hasSecondFactor = true) => {
  const declared = allOperations.find(
    (operation) => operation.name === name && operation.exposure === "public",
  );
  if (!declared) throw new Error(`no operation ${name}`);
  return requiresStrong(declared.stepUp, { body, hasSecondFactor }, { admin, organization });
};

/** Operations whose every request gives, takes or changes access. */
const guarded = [
  "adminBanUser",
  "adminCreateApiKey",
  "adminCreateImpersonationLink",
  "adminCreateWebhook",
  "adminDeleteOrganization",
  "adminEnableApiKey",
  "adminGetDelivery",
  "adminImpersonateUser",
  "adminMergeUsers",
  "adminRemoveUser",
  "adminRemoveUserPasskey",
  "adminRerollApiKey",
  "adminResendUserInvitation",
  "adminResetRateLimits",
  "adminResetTwoFactor",
  "adminRotateSigningKeys",
  "adminRotateWebhookSecret",
  "adminSecureUser",
  "adminSendPasswordReset",
  "adminSetRole",
  "adminSetUserPassword",
  "adminTransferOwnership",
  "adminUnbanUser",
  "adminUndoMerge",
  "adminUnlinkAccount",
  "adminUpdateApiKey",
  "adminUpdateWebhook",
  "adminVerifyUserEmail",
  "changeEmail",
  "changeEmailOtp",
  "createOauthClient",
  "createOauthRegistrationToken",
  "createOrganizationWebhook",
  "deleteOrganization",
  "deletePasskey",
  "generateRegisterOptions",
  "linkSocial",
  "requestEmailChangeOtp",
  "revokeTrustedDevices",
  "rotateOauthClientSecret",
  "rotateOrganizationWebhookSecret",
  "setTwoFactorPolicy",
  "updateOauthClient",
  "verifyRegistration",
];

test("these operations require a strong session of everybody, whatever the input", () => {
  const always = ({ stepUp }: Operation) => stepUp.asks === "always" && stepUp.when === undefined;
  expect(namesOf(always)).toEqual(guarded);
});

test("these operations require it only of users with a second factor", () => {
  const own = [
    "approveDevice",
    "deleteUser",
    "disableTwoFactor",
    "generateBackupCodes",
    "getTotpUri",
    "unlinkAccount",
  ];
  expect(namesOf(({ stepUp }) => stepUp.asks === "withSecondFactor")).toEqual(own);
  for (const name of own)
    expect([requiresStepUp(name), requiresStepUp(name, {}, false)]).toEqual([true, false]);
});

test("these handlers decide by the stored object or the provider", () => {
  expect(namesOf(({ stepUp }) => stepUp.asks !== "never" && stepUp.when === "target")).toEqual([
    "createApiKey",
    "enableTwoFactor",
    "getAccessToken",
    "refreshToken",
    "rerollApiKey",
    "sendTwoFactorCode",
    "updateApiKey",
    "verifyPhoneNumber",
    "verifyTwoFactorCode",
  ]);
});

describe("the input decides", () => {
  const memberRoles = ["adminAddMember", "adminSetMemberRole", "inviteMember", "updateMemberRole"];
  const cases: readonly (readonly [name: string, body: object, isAsked: boolean])[] = [
    ["adminCreateUser", {}, false],
    ["adminCreateUser", { role: "user" }, false],
    ["adminCreateUser", { role: "support" }, true],
    ["adminCreateUser", { role: ["user", "admin"] }, true],
    ["adminCreateUser", { role: "user, admin" }, true],
    ["adminCreateUser", { role: "user", data: { role: "admin" } }, true],
    ["adminCreateUser", { data: { emailVerified: false } }, false],
    // Attack: it would accept the invitations that wait for the address.
    ["adminCreateUser", { data: { emailVerified: true } }, true],
    ["adminInviteUser", { data: { emailVerified: true } }, true],
    ["adminInviteUser", { role: ["user"] }, false],
    ["adminInviteUser", { role: "admin" }, true],
    ["adminUpdateUser", { data: { name: "Ada", image: null } }, false],
    ["adminUpdateUser", { data: { role: "user" } }, true],
    ["adminUpdateUser", { data: { name: "Ada", email: "ada@example.com" } }, true],
    ["adminUpdateUser", { data: { emailVerified: false } }, true],
    ["adminUpdateUser", { data: { banned: false } }, true],
    ["adminUpdateUser", { data: { banExpires: null } }, true],
    ["adminCreateOrganizationRole", { role: "r", permission: { team: ["create"] } }, false],
    ["adminCreateOrganizationRole", { role: "r", permission: { member: ["create"] } }, true],
    ["adminUpdateOrganizationRole", { roleId: "r", data: { roleName: "s" } }, false],
    ["adminUpdateOrganizationRole", { roleId: "r", data: { permission: { ac: [] } } }, false],
    [
      "adminUpdateOrganizationRole",
      { roleId: "r", data: { permission: { organization: ["delete"] } } },
      true,
    ],
    ["createRole", { role: "r", permission: { team: ["create"], member: ["read"] } }, false],
    ["createRole", { role: "r", permission: { member: ["create"] } }, true],
    ["updateRole", { roleName: "r", data: { roleName: "s" } }, false],
    ["updateRole", { roleName: "r", data: { permission: { report: ["write"] } } }, false],
    ["updateRole", { roleName: "r", data: { permission: { apiKey: ["create"] } } }, true],
    ["adminUpdateUser", { data: { phoneNumber: null } }, true],
    ["updateUser", { name: "Ada" }, false],
    ["updateUser", { phoneNumber: null }, true],
    ["updateOrganizationWebhook", { webhookId: "w", organizationId: "o", state: "paused" }, false],
    ["updateOrganizationWebhook", { webhookId: "w", url: "https://other.example" }, true],
    ["updateOrganizationWebhook", { webhookId: "w", events: [] }, true],
    ...memberRoles.flatMap((name) => [
      [name, { role: "member" }, false] as const,
      [name, { role: "auditor" }, false] as const,
      [name, { role: "unknown" }, false] as const,
      [name, { role: "developer" }, true] as const,
      [name, { role: "admin" }, true] as const,
      [name, { role: ["member", "owner"] }, true] as const,
      [name, { role: "member, owner" }, true] as const,
    ]),
  ];

  test.each(cases)("%s with %j: %s", (name, body, isAsked) => {
    expect(requiresStepUp(name, body)).toBe(isAsked);
  });

  test.each(memberRoles)("%s with a role that the organization may have made", (name) => {
    const made = { ...organization, dynamicAccessControl: { enabled: true } };
    const { stepUp } = allOperations.find((operation) => operation.name === name)!; // in the list
    const rules = { admin, organization: made } as never;
    const request = { body: { role: "unknown" }, hasSecondFactor: false };
    expect(requiresStrong(stepUp, request, rules)).toBe(true);
  });

  test("every operation with such a condition is among these cases", () => {
    const conditional = namesOf(
      ({ stepUp }) => stepUp.asks !== "never" && typeof stepUp.when === "function",
    );
    expect(conditional).toEqual([...new Set(cases.map(([name]) => name))].toSorted());
  });
});
