/** A fault that replaces a guard in a service's source when it is loaded. */
export interface Plant {
  name: string;
  /** Relative to the project's folder. */
  file: string;
  /** Must occur exactly once. */
  text: string;
  instead: string;
  /** The names of the checks that must report it. */
  failedChecks: readonly string[];
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

const firstFactors = [
  "a password",
  "a mailed link",
  "a mailed code",
  "a passkey that does not verify its user",
];
const foreignWaysIn =
  "another user's passkeys, trusted browsers and second factor are neither listed nor changed";
const opensNothing = (way: string): string =>
  `${way} alone opens nothing of a user with a second factor`;

/** At least one fault of each class. */
export const first: readonly Plant[] = [
  {
    name: "an invitation can be accepted or rejected repeatedly",
    file: "services/organization/src/rows/invitations.ts",
    text: '.set({ status })\n    .where("id", "=", id)\n    .where("status", "=", "pending")',
    instead: '.set({ status })\n    .where("id", "=", id)',
    failedChecks: ["an invitation is accepted or rejected once"],
  },
  {
    name: "concurrent uses are counted as one",
    file: "services/apikey/src/verification/queries.ts",
    text: "remaining = ${usable} - asked.count,",
    instead: "remaining = ${usable} - 1,",
    failedChecks: ["of many uses at once a key with 5 left has 5"],
  },
  {
    name: "a key is shown to anyone who knows its id",
    file: "services/apikey/src/keys/operations.ts",
    text: "if (row.userId === acting.session.user.id) return row;",
    instead: "return row;",
    failedChecks: ["every operation refuses ids of another tenant and changes nothing there"],
  },
  {
    name: "redirect URLs are not checked",
    file: "services/gateway/src/origins/check-redirects.ts",
    text: "if (!operation.redirects) return;",
    instead: "return;",
    failedChecks: ["no redirect field of any operation takes a foreign place"],
  },
  {
    name: "no password is hashed for an unknown user",
    file: "services/identity/src/sign-in/sign-in-password.ts",
    text: "await deps.passwords.verify(credential?.passwordHash, password);",
    instead:
      "credential !== undefined && await deps.passwords.verify(credential?.passwordHash, password);",
    failedChecks: ["address", "username"].map(
      (by) => `sign-in by ${by}: who is known takes as long as who is unknown`,
    ),
  },
  {
    name: "a cached session is trusted after it was revoked",
    file: "services/gateway/src/pipeline/cached-answer.ts",
    text: "deps.revisions.isCurrent(cache.userId, cache.epoch) &&",
    instead: "",
    failedChecks: endings.map((ending) => `${ending} ends a session for every replica`),
  },
  {
    name: "a code of an app can be used again in its time step",
    file: "services/identity/src/rows/second-factors.ts",
    text: '\n    .where("lastStep", "<", step)',
    instead: "",
    failedChecks: ["a code of an authenticator app passes one sign-in"],
  },
  {
    name: "a mailed code of the second factor can be used repeatedly",
    file: "services/identity/src/second-factor/mailed-codes.ts",
    text: '.where("codeMac", "=", codeMac)\n    .executeTakeFirst();\n  return numDeletedRows > 0n;',
    instead:
      '.where("codeMac", "=", codeMac)\n    .executeTakeFirst();\n  return numDeletedRows >= 0n;',
    failedChecks: ["a mailed code of the second factor is used once"],
  },
  {
    name: "a sign-in link can be used repeatedly",
    file: "services/identity/src/secrets/secrets.ts",
    text: "await consumeAll(trx, {",
    instead: "await ((db, { identifier }) => findSecret(db, identifier))(trx, {",
    failedChecks: ["a mailed link signs in once"],
  },
  {
    name: "a trusted browser keeps its value",
    file: "services/identity/src/rows/trusted-devices.ts",
    text: ".then(nextHash)",
    instead: ".then(tokenHash)",
    failedChecks: ["the value of a trusted browser is replaced once"],
  },
  {
    name: "the tries of a waiting sign-in are not limited",
    file: "services/identity/src/rows/challenges.ts",
    text: '\n    .where("tries", "<", triesMax)',
    instead: "",
    failedChecks: ["of many wrong codes at once a waiting sign-in compares 5"],
  },
  {
    name: "a mailed code is compared once more than allowed",
    file: "services/identity/src/email-codes/examine-code.ts",
    text: "return tries > codeRules(deps, purpose).allowedAttempts",
    instead: "return tries > codeRules(deps, purpose).allowedAttempts + 1",
    failedChecks: ["a mailed code is compared as often as configured, and no more"],
  },
  {
    name: "a number moves to every user who proves it",
    file: "services/identity/src/phone-numbers/change-number.ts",
    text: 'if (!holder.yields) throw new WireError("PHONE_NUMBER_EXIST");',
    instead: "",
    failedChecks: ["one of many users who prove a number at once gets it"],
  },
  {
    name: "a passkey of anyone can be deleted",
    file: "services/identity/src/rows/passkeys.ts",
    text: '.deleteFrom("passkey")\n    .where("id", "=", id)\n    .where("userId", "=", userId)',
    instead: '.deleteFrom("passkey")\n    .where("id", "=", id)',
    failedChecks: [foreignWaysIn],
  },
  {
    name: "a sign-in link is both factors",
    file: "services/identity/src/sign-in/finish-sign-in.ts",
    text: "if (user.twoFactorEnabled) return demandOwn(deps, factor);",
    instead:
      'if (user.twoFactorEnabled && factor.method !== "magic-link") return demandOwn(deps, factor);',
    failedChecks: [opensNothing("a mailed link")],
  },
  {
    name: "a passkey is always both factors",
    file: "services/identity/src/passkeys/sign-in.ts",
    text: "isBothFactors: userVerified,",
    instead: "isBothFactors: true,",
    failedChecks: [opensNothing("a passkey that does not verify its user")],
  },
  {
    name: "the signature of a webhook leaves out the time",
    file: "libs/crypto/src/message-signature.ts",
    text: ".update(`${id}.${timestamp}.${body}`)",
    instead: ".update(`${id}.${body}`)",
    failedChecks: ["a receiver can tell a delivery from a forged, a changed and an old one"],
  },
];

/** At least one other fault of each class. */
export const second: readonly Plant[] = [
  {
    name: "the last owner may leave",
    file: "services/organization/src/members/change-members.ts",
    text: "if (await isLastOwner(trx, config, member))",
    instead: "if (false && (await isLastOwner(trx, config, member)))",
    failedChecks: ["of two owners who leave at once one stays"],
  },
  {
    name: "one invitation over the limit is accepted",
    file: "services/organization/src/invitations/issue-invitation.ts",
    text: ">= limits.pending)",
    instead: "> limits.pending)",
    failedChecks: ["the last invitation of an organization is sent once"],
  },
  {
    name: "invitations are listed for any user",
    file: "services/organization/src/rows/invitations.ts",
    text: '.where("member.organizationId", "=", organizationId)\n      .where("member.userId", "=", userId)',
    instead: '.where("member.organizationId", "=", organizationId)',
    failedChecks: ["every operation refuses ids of another tenant and changes nothing there"],
  },
  {
    name: "every origin is trusted",
    file: "services/gateway/src/origins/origin-check.ts",
    text: 'return isTrusted(source) ? "pass" : "refuse";',
    instead: 'return "pass";',
    failedChecks: ["a page of a foreign origin changes nothing with somebody's cookies"],
  },
  {
    name: "an unknown user gets a different error",
    file: "services/identity/src/passwords/reset-password.ts",
    text: "return { reply: { status: true, message } };",
    instead: 'return { reply: { status: true, message: user ? message : "Nobody has it" } };',
    failedChecks: ["who is known is answered as who is unknown"],
  },
  {
    name: "a key that an admin disabled is valid",
    file: "services/apikey/src/verification/queries.ts",
    text: "when not k.enabled or k.disabled_by_admin then 'disabled'",
    instead: "when not k.enabled then 'disabled'",
    failedChecks: ["a key that is disabled is refused by every replica"],
  },
  {
    name: "a backup code can be used repeatedly",
    file: "services/identity/src/second-factor/backup-codes.ts",
    text: '.where("isPending", "=", false)\n    .executeTakeFirst();\n  return numDeletedRows > 0n;',
    instead:
      '.where("isPending", "=", false)\n    .executeTakeFirst();\n  return numDeletedRows >= 0n;',
    failedChecks: ["a backup code passes one sign-in"],
  },
  {
    name: "a waiting sign-in can be passed repeatedly",
    file: "services/identity/src/rows/challenges.ts",
    text: '.where("passedAt", "is", null)\n    .where("expiresAt", ">", now)\n    .executeTakeFirst();\n  return',
    instead: '.where("expiresAt", ">", now)\n    .executeTakeFirst();\n  return',
    failedChecks: ["a sign-in that waits for its second factor starts one session"],
  },
  {
    // The guard above has a second one behind it, so the fault shows only without both.
    name: "a passed sign-in stays after its session has started",
    file: "services/identity/src/second-factor/pass-second-factor.ts",
    text: "isStillGranted: () => deleteChallenge(deps.db, tokenHash),",
    instead: "isStillGranted: async () => tokenHash.length > 0,",
    failedChecks: [],
  },
  {
    name: "a sign-in code can be used repeatedly",
    file: "services/identity/src/email-codes/queries.ts",
    text: "return used !== undefined;",
    instead: "return used !== null;",
    failedChecks: ["a mailed code signs in once"],
  },
  {
    name: "a challenge of a passkey can be used repeatedly",
    file: "services/identity/src/passkeys/challenge.ts",
    text: '.deleteFrom("passkeyChallenge")\n    .where("hash", "=", hash)\n    .where("ceremony", "=", ceremony)\n    .where("expiresAt", ">", now)\n    .returning("userId")',
    instead:
      '.selectFrom("passkeyChallenge")\n    .where("hash", "=", hash)\n    .where("ceremony", "=", ceremony)\n    .where("expiresAt", ">", now)\n    .select("userId")',
    failedChecks: ["the response of a passkey signs in once"],
  },
  {
    name: "a locked second factor is compared",
    file: "services/identity/src/rows/second-factors.ts",
    text: "where held.locked_until is null or held.locked_until <= ${now}",
    instead: "where held.user_id is not null or held.locked_until <= ${now}",
    failedChecks: [
      "of many wrong codes at once over several sign-ins a user has the configured number",
    ],
  },
  {
    name: "the trust in a browser of anyone can be revoked",
    file: "services/identity/src/rows/trusted-devices.ts",
    text: '.where("userId", "=", userId)\n    .where((eb) => eb.and(named))',
    instead: ".where((eb) => eb.and(named))",
    failedChecks: [foreignWaysIn],
  },
  {
    name: "a session is stored before the second factor is asked for",
    file: "services/identity/src/sign-in/finish-sign-in.ts",
    text: 'if (demand.kind === "challenge") return demand;',
    instead:
      'if (demand.kind === "challenge") return createSession(deps, user, { caller, remember, proof: { methods: [method] } }).then(() => demand);',
    failedChecks: firstFactors.map(opensNothing),
  },
  {
    name: "private addresses are not recognized in URLs",
    file: "libs/service-kit/src/http/outbound-target.ts",
    text: "if (!isPrivateHost && isIP(hostname) !== 0 && isPrivateAddress(hostname))",
    instead: "if (hostname === undefined)",
    failedChecks: ["no webhook can have an internal address, a plain or a foreign protocol"],
  },
];
