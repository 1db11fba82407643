/** A fault that replaces a guard in a service's source when it is loaded. */
export interface Plant {
  name: string;
  /** Relative to the project's folder. */
  file: string;
  /** Must occur exactly once. */
  text: string;
  instead: string;
  /** The names of the checks that must report it. */
  told: readonly string[];
}

const endings = [
  "a sign-out",
  "a revocation from another session",
  "a revocation of all other sessions",
  "a new password with revokeOtherSessions",
  "a revocation by an admin",
  "a ban",
  "the removal of the user",
];

/** One fault of each class. */
export const first: readonly Plant[] = [
  {
    name: "an invitation can be accepted or rejected repeatedly",
    file: "services/organization/src/invitations/queries.ts",
    text: '.set({ status })\n    .where("id", "=", id)\n    .where("status", "=", "pending")',
    instead: '.set({ status })\n    .where("id", "=", id)',
    told: ["an invitation is accepted or rejected once"],
  },
  {
    name: "concurrent uses are counted as one",
    file: "services/apikey/src/verification/queries.ts",
    text: "remaining = ${usable} - asked.count,",
    instead: "remaining = ${usable} - 1,",
    told: ["of many uses at once a key with 5 left has 5"],
  },
  {
    name: "a key is shown to anyone who knows its id",
    file: "services/apikey/src/keys/queries.ts",
    text: '.where("id", "=", id).where("userId", "=", userId);\n\nexport const findOwnKey',
    instead: '.where("id", "=", id);\n\nexport const findOwnKey',
    told: ["every operation refuses ids of another tenant and changes nothing there"],
  },
  {
    name: "redirect URLs are not checked",
    file: "services/gateway/src/pipeline/check-redirects.ts",
    text: "if (!operation.redirects) return;",
    instead: "return;",
    told: ["no redirect field of any operation takes a foreign place"],
  },
  {
    name: "no password is hashed for an unknown user",
    file: "services/identity/src/sign-in/authenticate.ts",
    text: "await deps.passwords.verify(credential?.passwordHash, password);",
    instead:
      "credential !== undefined && await deps.passwords.verify(credential?.passwordHash, password);",
    told: ["address", "username"].map(
      (by) => `sign-in by ${by}: who is known takes as long as who is unknown`,
    ),
  },
  {
    name: "a cached session is trusted after it was revoked",
    file: "services/gateway/src/pipeline/cached-answer.ts",
    text: "deps.revisions.isCurrent(cache.userId, cache.epoch);",
    instead: "true;",
    told: endings.map((ending) => `${ending} ends a session for every replica`),
  },
];

/** Another fault of each class. */
export const second: readonly Plant[] = [
  {
    name: "the last owner may leave",
    file: "services/organization/src/members/keep-owner.ts",
    text: "if (await isLastOwner(trx, config, member))",
    instead: "if (false && (await isLastOwner(trx, config, member)))",
    told: ["of two owners who leave at once one stays"],
  },
  {
    name: "one invitation over the limit is accepted",
    file: "services/organization/src/invitations/issue-invitation.ts",
    text: ">= limits.pending)",
    instead: "> limits.pending)",
    told: ["the last invitation of an organization is sent once"],
  },
  {
    name: "invitations are listed for any user",
    file: "services/organization/src/invitations/queries.ts",
    text: '.where("member.organizationId", "=", organizationId)\n      .where("member.userId", "=", userId)',
    instead: '.where("member.organizationId", "=", organizationId)',
    told: ["every operation refuses ids of another tenant and changes nothing there"],
  },
  {
    name: "every origin is trusted",
    file: "services/gateway/src/origins/origin-check.ts",
    text: 'return isTrusted(source) ? "pass" : "refuse";',
    instead: 'return "pass";',
    told: ["a page of a foreign origin changes nothing with somebody's cookies"],
  },
  {
    name: "an unknown user gets a different error",
    file: "services/identity/src/passwords/request-password-reset.ts",
    text: "return { reply: { status: true, message } };",
    instead: 'return { reply: { status: true, message: user ? message : "Nobody has it" } };',
    told: ["who is known is answered as who is unknown"],
  },
  {
    name: "a key that an admin disabled is valid",
    file: "services/apikey/src/verification/queries.ts",
    text: "when not k.enabled or k.disabled_by_admin then 'disabled'",
    instead: "when not k.enabled then 'disabled'",
    told: ["a key that is disabled is refused by every replica"],
  },
];
