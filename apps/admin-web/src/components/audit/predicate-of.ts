/** Phrases of what an actor did, by action, with `$` in the place of the subject. */
const predicates: Readonly<Record<string, string>> = {
  "user.created": "created the account of $",
  "user.updated": "changed the profile of $",
  "user.deleted": "deleted $",
  "user.banned": "banned $",
  "user.unbanned": "lifted the ban of $",
  "user.ban-expired": "let the ban of $ expire",
  "user.secured": "secured the account of $",
  "user.role-changed": "changed the roles of $",
  "user.email-verified": "verified the email of $",
  "user.email-replaced": "changed the email of $",
  "user.exported": "exported the data of $",
  "password.changed": "changed the password of $",
  "password.set": "set a password for $",
  "password.reset": "reset the password of $",
  "password-reset.requested": "requested a password reset for $",
  "user-invitation.requested": "invited $",
  "user-invitation.accepted": "accepted the invitation of $",
  "session.created": "signed in as $",
  "session.signed-out": "signed out as $",
  "session.revoked": "ended a session of $",
  "session.revoked-all": "ended all sessions of $",
  "session.revoked-others": "ended the other sessions of $",
  "session.impersonated": "impersonated $",
  "session.impersonation-ended": "ended the impersonation of $",
  "session.listed": "viewed the sessions of $",
  "sign-in.refused": "failed to sign in as $",
  "account.linked": "linked an account to $",
  "account.unlinked": "unlinked an account from $",
  "two-factor.enabled": "turned on the second factor of $",
  "two-factor.disabled": "turned off the second factor of $",
  "two-factor.reset": "removed the second factor of $",
  "passkey.added": "added a passkey of $",
  "passkey.renamed": "renamed a passkey of $",
  "passkey.removed": "removed a passkey of $",
  "verification.requested": "requested a verification for $",
  "email-change.requested": "requested a change of the email of $",
  "account-deletion.requested": "requested the deletion of $",
  "organization.created": "created $",
  "organization.updated": "changed $",
  "organization.deleted": "deleted $",
  "member.added": "added a member to $",
  "member.role-changed": "changed the role of a member of $",
  "member.removed": "removed a member from $",
  "invitation.created": "invited somebody to $",
  "invitation.accepted": "accepted an invitation to $",
  "invitation.canceled": "canceled an invitation to $",
  "team.created": "created a team of $",
  "team.updated": "changed a team of $",
  "team.removed": "deleted a team of $",
  "api-key.created": "created $",
  "api-key.updated": "changed $",
  "api-key.rerolled": "re-rolled $",
  "api-key.enabled": "enabled $",
  "api-key.disabled": "disabled $",
  "api-key.deleted": "deleted $",
  "delivery.read": "read $",
  "delivery.retried": "retried $",
  "webhook.created": "created $",
  "webhook.updated": "changed $",
  "webhook.paused": "paused $",
  "webhook.resumed": "resumed $",
  "webhook.disabled": "disabled $",
  "webhook.deleted": "deleted $",
  "webhook.secret-rotated": "rotated the secret of $",
  "webhook.tested": "sent a test event to $",
  "webhook.replayed": "replayed events to $",
  "webhook.failed-retried": "retried failed deliveries to $",
  "webhook-delivery.retried": "retried $",
  "webhook-event.replayed": "replayed $",
  "rate-limit.reset": "unblocked $",
  "signing-key.created": "created $",
};

/** Phrases without a subject, in the place of the general ones: of an act on oneself, and on a session, which has no name. */
const shortPhrases: Readonly<
  Record<"oneself" | "session", readonly (readonly [general: RegExp, short: string])[]>
> = {
  oneself: [
    [/\ball ([\w ]+) of \$$/, "all their $1"],
    [/\b(?:the|an?) ([\w ]+) of \$$/, "their $1"],
    [/ (?:as|for|from|to) \$$/, ""],
    [/\$$/, "themselves"],
  ],
  session: [[/ (?:as|of) \$$/, ""]],
};

/**
 * Says what an actor did, with `$` in the place of the subject. An act on oneself has no subject: "changed their password". An unknown action
 * is named in words.
 */
export const predicateOf = (action: string, on: "other" | "oneself" | "session"): string => {
  const predicate = Object.hasOwn(predicates, action) ? predicates[action] : undefined;
  if (predicate === undefined) return `${action.replaceAll(/[.-]+/g, " ")}: $`;
  const short =
    on === "other" ? undefined : shortPhrases[on].find(([general]) => general.test(predicate));
  return short ? predicate.replace(...short) : predicate;
};
