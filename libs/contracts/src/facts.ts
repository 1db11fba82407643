import type { ApplicationEventType } from "./application-events.ts";

/** The kinds of access to a user, apart from the ways to sign in: the name in the documents, and a description. */
export const accessKinds = {
  sessions: ["sessions", "with those in cookie caches, and one-time tokens for them"],
  waiting: [
    "waiting sign-ins",
    "sign-ins that wait for a second factor, with their mailed codes, and an authenticator app that waits for its first code",
  ],
  trust: [
    "trusted browsers",
    "browsers that need no second factor for a while, and those that are known, whose sign-ins are not mailed",
  ],
  mailedSignIns: [
    "mailed sign-ins",
    "links and codes that sign in, verify an address or change it",
  ],
  passwordLinks: [
    "password links",
    "mailed links that choose a password or verify an address, and one-time tokens",
  ],
  otherLinks: ["other links", "mailed links that delete the user, and links to providers"],
  undoLinks: ["undo links", "mailed links that undo a change of the address"],
  keySessions: ["key sessions", "API keys that can stand for a session"],
  apiKeys: ["other keys", "the other API keys of the user"],
  grants: [
    "OAuth grants",
    "codes, access tokens and refresh tokens with which other applications act for the user, while `oauthProvider` is on",
  ],
} as const;
export type AccessKind = keyof typeof accessKinds;

/** The effects of a fact on one kind of access: the name, and a description for the documents. */
export const endings = {
  all: "ended by the change; sessions in Redis and keys right after it, or by an event if the process dies in between",
  others: "all but what the request itself uses",
  chosen: "an option or the request decides",
  disabled: "until the user or an admin enables it again",
  refused: "as long as the user is banned",
  deleted: "deleted with the user",
} as const;
export type Ending = keyof typeof endings;

interface FactDeclaration {
  /** The application events that report it, in order. */
  readonly tells?: readonly ApplicationEventType[];
  /** Whether users see it in the activity of their account, as those whom it concerns or as those who acted. */
  readonly shownTo?: "actor" | "subject";
  /** Whether users see it as a warning: it was refused, and may not have been an act of theirs. */
  readonly warns?: true;
  /** Its effect on the user's access. Absent if it ends nothing. A comment states each reason that is not obvious. */
  readonly ends?: Readonly<Partial<Record<AccessKind, Ending>>>;
}

/** Sessions, and sign-ins that have begun or need less proof. */
const everySignIn = {
  sessions: "all",
  waiting: "all",
  trust: "all",
  mailedSignIns: "all",
  grants: "all",
} as const;

const changesUser = {
  tells: ["user.updated", "user.email-changed", "user.phone-changed"],
} as const;

const everythingOfGuest = { ...everySignIn, keySessions: "all", apiKeys: "all" } as const;

/** A former mailbox must not sign in, and must not choose a password. Sessions are of the user, who is the same. */
const replacesAddress = {
  tells: ["user.updated", "user.email-changed"],
  ends: {
    waiting: "all",
    trust: "all",
    mailedSignIns: "all",
    passwordLinks: "all",
    otherLinks: "all",
  },
} as const;

/** A thief of the former password may have prepared anything. An undo link was mailed before, to a proven address. */
const replacesPassword = {
  tells: ["user.password-changed"],
  ends: {
    ...everySignIn,
    sessions: "chosen",
    passwordLinks: "all",
    keySessions: "chosen",
    grants: "chosen",
  },
} as const;

const endsEverySession = { tells: ["session.all-revoked"], ends: everySignIn } as const;

/** Links that undo a change of the address stay: each was mailed to an address that the user had proven. */
const everythingOfBefore = {
  ...everySignIn,
  passwordLinks: "all",
  otherLinks: "all",
  keySessions: "all",
  apiKeys: "all",
} as const;

const endsOneSession = { tells: ["session.revoked"] } as const;

/** Applications do not receive it, and no access ends. */
const silent = {} as const;

/** Users see it in the activity of their account. */
const inActivity = { shownTo: "subject" } as const;

/** Users see it as a warning. */
const warnsInActivity = { ...inActivity, warns: true } as const;

/**
 * Everything that happens, by the name of its audit action. Names never change, because the audit chain is sealed. From a declaration
 * follow the events that applications receive and what ends.
 */
export const facts = {
  /** Users. */
  "user.created": { ...inActivity, tells: ["user.created"] },
  "user.updated": { ...changesUser, ...inActivity },
  /** A guest signed up, and keeps the id. Somebody else may have used the browser of the guest, and have created keys in it. */
  "user.identified": { tells: ["user.updated", "user.linked"], ends: everythingOfGuest },
  /** A guest signed in as an existing user. The access of the guest ends. */
  "user.guest-linked": { tells: ["user.linked"], ends: everythingOfGuest },
  "user.info-copied": changesUser,
  "user.role-changed": { ...changesUser, ...inActivity },
  "user.taken-over": changesUser,
  "user.email-verified": { ...changesUser, ...inActivity },
  "user.email-replaced": { ...replacesAddress, ...inActivity },
  /** The provider may send another address. */
  "user.overridden-by-provider": replacesAddress,
  /** The former holder of the number must not complete a sign-in that began with it. */
  "user.phone-changed": {
    ...inActivity,
    tells: ["user.updated", "user.phone-changed"],
    ends: { waiting: "all", trust: "all" },
  },
  /** The holder of the replaced address must not get back. Links that undo other changes stay with their mailboxes. */
  "user.email-set-back": {
    ...inActivity,
    ...changesUser,
    ends: everythingOfBefore,
  },
  /**
   * The reader of a mailbox took over a user whose address nobody had proven. A stranger may hold everything of before, and an undo link to
   * an address of theirs.
   */
  "user.claimed": {
    ...inActivity,
    tells: ["user.password-changed", "two-factor.disabled", "user.phone-changed"],
    ends: { ...everythingOfBefore, undoLinks: "all" },
  },
  "user.accounts-dropped": { tells: ["account.unlinked"] },
  /** Tokens stay: no link that a banned user uses starts a session, and a ban may be lifted. */
  "user.banned": {
    tells: ["user.banned"],
    ends: { ...everySignIn, keySessions: "refused", apiKeys: "refused" },
  },
  "user.unbanned": { tells: ["user.unbanned"] },
  "user.ban-expired": { tells: ["user.unbanned"] },
  /** Keys are disabled and not deleted, because a deployment may depend on them. */
  "user.secured": {
    ...inActivity,
    tells: ["session.all-revoked", "user.password-changed"],
    ends: {
      ...everythingOfBefore,
      keySessions: "disabled",
      apiKeys: "disabled",
    },
  },
  /** About the user who stays. */
  "user.merged": { ...inActivity, tells: ["user.merged"] },
  /**
   * About the user who was merged into another one, and is deleted after a day. Their keys are those of the other user from then on. Those
   * that can stand for a session are disabled: they would sign in as somebody with more permissions, perhaps.
   */
  "user.merged-away": {
    tells: ["user.banned"],
    ends: { ...everySignIn, passwordLinks: "all", otherLinks: "all", keySessions: "disabled" },
  },
  /** About the user who stays. A session that began by an account of the other user must not stay. */
  "user.merge-undone": { ...inActivity, tells: ["user.merge-undone"], ends: everySignIn },
  "user.deleted": {
    tells: ["user.deleted"],
    ends: {
      ...everythingOfBefore,
      undoLinks: "all",
      keySessions: "deleted",
      apiKeys: "deleted",
    },
  },
  "user.exported": silent,

  /** Passwords. */
  "password.changed": { ...replacesPassword, ...inActivity },
  "password.set": { ...replacesPassword, ...inActivity },
  /** The mailbox is the only proof, so grants from before may be of somebody else. */
  "password.reset": {
    ...replacesPassword,
    ...inActivity,
    ends: { ...replacesPassword.ends, grants: "all" },
  },
  "user-invitation.accepted": replacesPassword,
  /** A right password of a sign-in is known from leaks. */
  "password.compromised": { ...warnsInActivity, tells: ["user.password-compromised"] },
  "password.tries-used-up": silent,
  "password-reset.requested": silent,
  "password-reset.refused": silent,
  "user-invitation.requested": silent,
  "user-invitation.refused": silent,

  /** Sessions. */
  "session.created": { shownTo: "actor", tells: ["session.created"] },
  "session.impersonated": { tells: ["session.created"] },
  "session.revoked": endsOneSession,
  "session.replaced": endsOneSession,
  "session.signed-out": { ...endsOneSession, shownTo: "actor" },
  "session.impersonation-ended": endsOneSession,
  /** Tokens stay: a password that somebody else knows is replaced by `user.secured`. */
  "session.revoked-all": { ...endsEverySession, ...inActivity },
  "session.revoked-others": {
    ...inActivity,
    tells: ["session.all-revoked"],
    ends: { sessions: "others" },
  },
  "session.handed-over": silent,
  /** The browser holds several sessions, and acts in this one from now on. Nothing of the user changes. */
  "session.switched": { shownTo: "actor" },
  "session.listed": silent,
  "impersonation-link.created": silent,

  /** Addresses and mailed links. */
  "verification.requested": silent,
  "verification.refused": silent,
  "email-change.requested": silent,
  "email-code.created": silent,
  "email-code.requested": silent,
  "email-code.refused": silent,
  "phone-code.requested": silent,
  "phone-code.refused": silent,
  "sign-in-link.requested": silent,
  "sign-in-link.refused": silent,
  "account-deletion.requested": silent,

  /** Accounts at providers. */
  "account.linked": { ...inActivity, tells: ["account.linked"] },
  /** A sign-in by the account may wait for its second factor. */
  "account.unlinked": { ...inActivity, tells: ["account.unlinked"], ends: { waiting: "all" } },

  /** The second factor. */
  /** A thief may have begun a sign-in without it. The sign-in that turns it on continues. */
  "two-factor.enabled": {
    ...inActivity,
    tells: ["two-factor.enabled"],
    ends: { sessions: "chosen", waiting: "others", trust: "all" },
  },
  /** No waiting sign-in has a factor to show any more, and trust is for one factor. */
  "two-factor.disabled": {
    ...inActivity,
    tells: ["two-factor.disabled"],
    ends: { waiting: "all", trust: "all" },
  },
  /** An admin resets it for a user who has lost it, whose sessions somebody may have. */
  "two-factor.reset": {
    ...inActivity,
    tells: ["two-factor.disabled"],
    ends: everySignIn,
  },
  "two-factor.locked": warnsInActivity,
  "two-factor-code.requested": silent,
  "backup-code.used": inActivity,
  "backup-codes.generated": inActivity,
  "trusted-device.added": inActivity,
  "trusted-device.removed": inActivity,
  "passkey.added": { ...inActivity, tells: ["passkey.added"] },
  "passkey.renamed": { tells: ["passkey.updated"] },
  "passkey.removed": { ...inActivity, tells: ["passkey.removed"] },
  "passkey.refused": warnsInActivity,

  /** Organizations. */
  "organization.created": { tells: ["organization.created"] },
  "organization.updated": { tells: ["organization.updated"] },
  "organization.two-factor-policy-changed": { tells: ["organization.updated"] },
  "organization.deleted": { tells: ["organization.deleted"] },
  "member.added": { tells: ["member.added"] },
  "member.role-changed": { tells: ["member.updated"] },
  "member.updated": { tells: ["member.updated"] },
  "member.team-changed": { tells: ["member.updated"] },
  "member.removed": { tells: ["member.removed"] },
  /** A new invitation may withdraw earlier ones to the same address. */
  "invitation.created": { tells: ["invitation.canceled", "invitation.created"] },
  "invitation.resent": { tells: ["invitation.updated"] },
  "invitation.accepted": { tells: ["invitation.accepted"] },
  "invitation.rejected": { tells: ["invitation.rejected"] },
  "invitation.canceled": { tells: ["invitation.canceled"] },
  "invitation.deleted": { tells: ["invitation.canceled"] },
  "team.created": { tells: ["team.created"] },
  "team.updated": { tells: ["team.updated"] },
  "team.removed": { tells: ["team.deleted"] },
  "organization-role.created": { tells: ["organization-role.created"] },
  "organization-role.updated": { tells: ["organization-role.updated"] },
  "organization-role.deleted": { tells: ["organization-role.deleted"] },

  /** API keys. */
  "api-key.created": { tells: ["api-key.created"] },
  "api-key.updated": { tells: ["api-key.updated"] },
  "api-key.rerolled": { tells: ["api-key.updated"] },
  "api-key.enabled": { tells: ["api-key.updated"] },
  "api-key.disabled": { tells: ["api-key.updated"] },
  "api-key.deleted": { tells: ["api-key.deleted"] },
  "api-key.expired": { tells: ["api-key.deleted"] },
  "api-key.exhausted": { tells: ["api-key.exhausted"] },

  /** Applications that users sign in to. */
  "oauth-client.created": silent,
  "oauth-client.registered": silent,
  "oauth-registration-token.created": silent,
  "oauth-client.updated": silent,
  "oauth-client.secret-rotated": silent,
  "oauth-client.deleted": silent,
  "oauth-consent.given": silent,
  "oauth-consent.withdrawn": silent,
  "device-request.approved": silent,
  "device-request.denied": silent,
  "oauth-grant.started": silent,
  "oauth-grant.ended": silent,
  /** A code or refresh token was used twice, so that somebody else may have it. Its grant has ended. */
  "oauth-token.reused": silent,

  /** Mails and webhooks. */
  "delivery.deleted": silent,
  "delivery.queued": silent,
  "delivery.read": silent,
  "delivery.retried": silent,
  "webhook.created": silent,
  "webhook.updated": silent,
  "webhook.paused": silent,
  "webhook.resumed": silent,
  "webhook.disabled": silent,
  "webhook.deleted": silent,
  "webhook.secret-rotated": silent,
  "webhook.tested": silent,
  "webhook.replayed": silent,
  "webhook.failed-retried": silent,
  "webhook-delivery.retried": silent,
  "webhook-event.replayed": silent,

  /** The installation. */
  "audit.pruned": silent,
  "database.taken-over": silent,
  "installation.exported": silent,
  "installation.imported": silent,
  "queue.retry-requested": silent,
  "queue.retried": silent,
  "queue.discard-requested": silent,
  "queue.discarded": silent,
  "rate-limit.reset": silent,
  "signing-key.created": silent,
} as const satisfies Record<string, FactDeclaration>;

/** The name of a fact, which is that of its audit action. */
export type FactName = keyof typeof facts;

/** The facts that users see in the activity of their account. */
export type ActivityFact = {
  [Name in FactName]: (typeof facts)[Name] extends { shownTo: string } ? Name : never;
}[FactName];

/** Returns the facts that users see as those whom they concern, or as those who acted. */
export const activityFacts = (shownTo: "actor" | "subject"): ActivityFact[] =>
  (Object.keys(facts) as FactName[]).filter(
    (name): name is ActivityFact => (facts[name] as FactDeclaration).shownTo === shownTo,
  );

/** Returns what a fact ends of the user's access. */
export const endsOf = (fact: FactName): NonNullable<FactDeclaration["ends"]> => {
  const { ends = {} }: FactDeclaration = facts[fact];
  return ends;
};

/** Returns the declaration of a stored audit action. Undefined for one that only another version knows. */
export const factOf = (action: string): FactDeclaration | undefined =>
  Object.hasOwn(facts, action) ? facts[action as FactName] : undefined;
