import { z } from "zod";
import { claimedMethod } from "./mailed-link.ts";
import { recordedEvent } from "./application-events.ts";
import { mailLocale } from "./mail-locale.ts";
import type { ServiceName } from "./service-name.ts";

interface EventDeclaration {
  readonly version: number;
  /** The data of a sealed event is encrypted wherever it is stored, because it holds a secret such as a link. */
  readonly sealed: boolean;
  readonly data: z.ZodType;
  readonly consumers: readonly ServiceName[];
}

/**
 * The language of the mail. Absent if unknown, and in events of earlier versions. A language that a later version adds counts as
 * absent.
 */
const locale = mailLocale.optional().catch(undefined);

/** A mail with one link. `email` is its recipient. */
const linkMail = {
  version: 1,
  sealed: true,
  data: z.object({
    userId: z.string(),
    email: z.string(),
    name: z.string(),
    url: z.string(),
    /** When the link expires. Absent in events of earlier versions. */
    expiresAt: z.string().optional(),
    locale,
  }),
  consumers: ["mailer"],
} as const;

/** A mail that tells a user of a change of their sign-in methods. `email` is its recipient. */
const noticeMail = {
  version: 1,
  sealed: false,
  data: z.object({ userId: z.string(), email: z.string(), name: z.string(), locale }),
  consumers: ["mailer"],
} as const;

/** A mail with a code. `email` is its recipient. */
const codeMail = {
  version: 1,
  sealed: true,
  data: z.object({
    /** Absent if the address has no user. */
    userId: z.string().optional(),
    email: z.string(),
    /** Empty if unknown. */
    name: z.string(),
    code: z.string(),
    /** When the code expires. A later mail is not sent. */
    expiresAt: z.string(),
    locale,
  }),
  consumers: ["mailer"],
} as const;

/** Maximum number of events in one message. */
export const recordedEventsMax = 200;

/** Events, each published in the transaction of the change that it reports. Data is JSON; consumers validate it by its schema. */
export const eventCatalogue = {
  /** A member of the user object changed. Snapshots of it elsewhere must be refreshed. */
  "user.updated": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string() }),
    consumers: ["identity"],
  },
  /** A user requested verification of an email address. `url` holds the token. */
  "verification.requested": linkMail,
  /** Every session of a user must end, except the one whose token has the hash `exceptHash` (hex). */
  "session.revoked-all": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string(), exceptHash: z.string().optional() }),
    consumers: ["identity"],
  },
  /** A user was deleted. */
  "user.deleted": {
    version: 1,
    sealed: false,
    data: z.object({
      userId: z.string(),
      /** Absent in events of earlier versions. */
      email: z.string().optional(),
      /** The merge of the user into another one, which is applied before the deletion if its own event is late. */
      merge: z.object({ mergeId: z.string(), userId: z.string() }).optional(),
    }),
    consumers: ["identity", "organization", "apikey", "mailer", "oauth"],
  },
  /**
   * The verified owner of an address claimed the user that was registered with it, or undid a change of the address. API keys from before
   * are deleted, because a stranger may hold them.
   */
  "user.claimed": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string() }),
    consumers: ["apikey"],
  },
  /** An admin has secured a user whose account may be compromised. Their API keys from before are disabled. */
  "user.secured": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string() }),
    consumers: ["apikey"],
  },
  /** A user was merged into another one: everything of `mergedUserId` belongs to `userId` from then on. */
  "user.merged": {
    version: 1,
    sealed: false,
    data: z.object({ mergeId: z.string(), userId: z.string(), mergedUserId: z.string() }),
    consumers: ["organization", "apikey"],
  },
  /** A merge was undone: everything that it moved belongs to the merged user again. It may arrive before the event of the merge. */
  "user.merge-undone": {
    version: 1,
    sealed: false,
    data: z.object({ mergeId: z.string(), userId: z.string(), mergedUserId: z.string() }),
    consumers: ["organization", "apikey"],
  },
  /**
   * A new password ended everything that could sign in as a user. API keys from before that can stand for a session are deleted.
   * `sessionsBefore` (ISO 8601): sessions that began earlier have ended, and create no keys any more. Absent if sessions stay.
   */
  "key-sessions.ended": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string(), sessionsBefore: z.string().optional() }),
    consumers: ["apikey"],
  },
  /** A ban of a user was set, changed or lifted. The event with the higher revision holds the current state. */
  "user.ban-changed": {
    version: 1,
    sealed: false,
    data: z.object({
      userId: z.string(),
      revision: z.number(),
      banned: z.boolean(),
      /** When the ban expires, as ISO 8601. Null if it is permanent. */
      banExpires: z.string().nullable(),
    }),
    consumers: ["apikey", "organization"],
  },
  /** A user was invited to an organization. `url` leads to the page where they can accept. */
  "invitation.sent": {
    version: 1,
    sealed: true,
    data: z.object({
      invitationId: z.string(),
      email: z.string(),
      organizationName: z.string(),
      /** Absent in events of earlier versions. */
      inviterId: z.string().optional(),
      inviterName: z.string(),
      inviterEmail: z.string(),
      url: z.string(),
      expiresAt: z.string(),
      locale,
    }),
    consumers: ["mailer"],
  },
  /** A member left an organization or was removed from it. */
  "member.removed": {
    version: 1,
    sealed: false,
    data: z.object({ organizationId: z.string(), userId: z.string() }),
    consumers: ["identity"],
  },
  /** Members of an organization left a team, or the team was removed. Published once for every thousand of them. */
  "team-members.removed": {
    version: 1,
    sealed: false,
    data: z.object({
      organizationId: z.string(),
      teamId: z.string(),
      userIds: z.array(z.string()).max(1_000),
    }),
    consumers: ["identity"],
  },
  /** An organization was deleted. Published once for every thousand of its former members. */
  "organization.deleted": {
    version: 1,
    sealed: false,
    data: z.object({ organizationId: z.string(), userIds: z.array(z.string()).max(1_000) }),
    consumers: ["identity", "apikey"],
  },
  /** A user requested a new password. `url` holds the token. */
  "password-reset.requested": linkMail,
  /** An admin invited a user, who chooses a password by the link. `url` holds the token. */
  "user-invitation.requested": linkMail,
  /** A user requested the deletion of their account. `url` holds the token. */
  "account-deletion.requested": linkMail,
  /** An account at a provider was linked to a user, who is notified. */
  "account.linked": {
    ...noticeMail,
    data: noticeMail.data.extend({ provider: z.string() }),
  },
  /**
   * Somebody proved the address of a user, whose earlier sign-in methods (`ended`) were deleted. A `url` leads to the choice of a new
   * password, and holds its token.
   */
  "account.claimed": {
    ...noticeMail,
    sealed: true,
    data: noticeMail.data.extend({ ended: z.array(claimedMethod), url: z.string().optional() }),
  },
  /** An admin merged a user into another one. Published for each of the two, with the addresses of both. */
  "accounts.merged": {
    ...noticeMail,
    data: noticeMail.data.extend({
      keptEmail: z.string(),
      mergedEmail: z.string(),
      mergedAt: z.string(),
      undoableUntil: z.string(),
    }),
  },
  /** An admin undid a merge. Published for each of the two users, with the addresses of both. */
  "accounts.separated": {
    ...noticeMail,
    data: noticeMail.data.extend({
      keptEmail: z.string(),
      mergedEmail: z.string(),
      separatedAt: z.string(),
    }),
  },
  /** An account at a provider was unlinked. Identity then has the provider revoke what `token` allows. */
  "account.unlinked": {
    version: 1,
    sealed: true,
    data: z.object({
      userId: z.string(),
      providerId: z.string(),
      /** The account's id at the provider. Missing in rows of earlier versions. */
      accountId: z.string().optional(),
      token: z.string(),
      kind: z.enum(["access_token", "refresh_token"]),
    }),
    consumers: ["identity"],
  },
  /** An admin retried a mail whose attempts had all failed. Only earlier versions publish it. */
  "delivery.retried": {
    version: 1,
    sealed: false,
    data: z.object({ deliveryId: z.string() }),
    consumers: ["mailer"],
  },
  /** A user requested to change a verified address. `url` holds the token and is sent to the old address. */
  "email-change.requested": {
    ...linkMail,
    data: linkMail.data.extend({ newEmail: z.string() }),
  },
  /** The address of a user changed. `url` reverts the change and is sent to the old address. */
  "email.changed": {
    ...linkMail,
    data: linkMail.data.extend({ newEmail: z.string() }),
  },
  /** A sign-in or a session needs a code by mail as the second factor. */
  "two-factor-code.requested": codeMail,
  /** Somebody requested a link that signs in. `url` holds the token. */
  "sign-in-link.requested": {
    ...codeMail,
    data: codeMail.data.omit({ code: true }).extend({ url: z.string() }),
  },
  /** Somebody requested a code for an address. */
  "email-code.requested": {
    ...codeMail,
    data: codeMail.data.extend({
      purpose: z.enum(["sign-in", "email-verification", "forget-password", "change-email"]),
    }),
  },
  /** A user signed in with a password that is known from leaks. */
  "password.compromised": noticeMail,
  /** Somebody requested a code for a phone number. The mailer posts it to the configured receiver. */
  "phone-code.requested": {
    version: 1,
    sealed: true,
    data: z.object({
      /** Absent if the number has no user. */
      userId: z.string().optional(),
      phoneNumber: z.string(),
      code: z.string(),
      /** When the code expires. A later message is not sent. */
      expiresAt: z.string(),
      purpose: z.enum(["phone-number", "phone-password-reset"]),
      locale,
    }),
    consumers: ["mailer"],
  },
  /** The phone number of a user was added, replaced or removed, or has gone to another user who has proven it. */
  "phone-number.changed": {
    ...noticeMail,
    data: noticeMail.data.extend({ change: z.enum(["added", "removed", "moved"]) }),
  },
  /** A user turned the second factor on. */
  "two-factor.enabled": noticeMail,
  /** A user turned the second factor off. */
  "two-factor.disabled": noticeMail,
  /** An admin removed the second factor of a user. */
  "two-factor.reset": noticeMail,
  /** Too many wrong codes locked the second factor of a user until `lockedUntil`. */
  "two-factor.locked": {
    ...noticeMail,
    data: noticeMail.data.extend({ lockedUntil: z.string() }),
  },
  /** A second factor will be required of a user from `requiredFrom` on. */
  "two-factor.required": {
    ...noticeMail,
    data: noticeMail.data.extend({ requiredFrom: z.string() }),
  },
  /** A user used one of the backup codes. `codesLeft` remain. */
  "backup-code.used": {
    ...noticeMail,
    data: noticeMail.data.extend({ codesLeft: z.int() }),
  },
  /** A user replaced the backup codes. */
  "backup-codes.generated": noticeMail,
  /** A user registered a passkey. */
  "passkey.added": {
    ...noticeMail,
    data: noticeMail.data.extend({
      passkeyName: z.string(),
      address: z.string(),
      userAgent: z.string(),
    }),
  },
  /** A user signed in from a browser in which they had not signed in before. */
  "browser.added": {
    ...noticeMail,
    data: noticeMail.data.extend({ address: z.string(), userAgent: z.string() }),
  },
  /** A user, or an admin for a user, created or re-rolled an API key. `address` and `userAgent` are those of the creator. */
  "api-key.added": {
    ...noticeMail,
    data: noticeMail.data.extend({
      /** Empty if the key has none. */
      keyName: z.string(),
      /** Empty if an admin created the key. */
      address: z.string(),
      userAgent: z.string(),
      /** The organization owns it: the user is the member who created it. */
      isOfOrganization: z.boolean(),
      /** An admin created it for the user. */
      isByAdmin: z.boolean(),
      /** It can stand for a session of the user. */
      opensSessions: z.boolean(),
    }),
  },
  /** A passkey of a user was removed. */
  "passkey.removed": {
    ...noticeMail,
    data: noticeMail.data.extend({ passkeyName: z.string() }),
  },
  /** Events that applications may receive, in the order of the audit log of one service. */
  "events.recorded": {
    version: 1,
    sealed: false,
    data: z.object({
      /** The previous message of the same service, which is to be consumed before. Null for the first one. */
      previousId: z.string().nullable(),
      events: z.array(recordedEvent).min(1).max(recordedEventsMax),
    }),
    consumers: ["webhooks"],
  },
  /** A webhook has failed for long and was paused. `email` is its contact. */
  "webhook.paused": {
    version: 1,
    sealed: false,
    data: z.object({
      userId: z.string(),
      email: z.string(),
      /** Empty if unknown. */
      name: z.string(),
      url: z.string(),
      description: z.string(),
      failingSince: z.string(),
      locale,
    }),
    consumers: ["mailer"],
  },
  /** A sign-in by a passkey was refused, because the passkey may have been copied. */
  "passkey.refused": {
    ...noticeMail,
    data: noticeMail.data.extend({ passkeyName: z.string() }),
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventName = keyof typeof eventCatalogue;
export type EventData<N extends EventName> = z.output<(typeof eventCatalogue)[N]["data"]>;

/** The events that a service consumes. */
export type ConsumedBy<S extends ServiceName> = {
  [N in EventName]: S extends (typeof eventCatalogue)[N]["consumers"][number] ? N : never;
}[EventName];

/** An event in transit. `id` is unique, and the same in every delivery of the event. */
export interface Event<N extends EventName = EventName> {
  id: string;
  name: N;
  version: number;
  occurredAt: string;
  data: EventData<N>;
}

/** An event as one service passes it to another. Its data is validated by the schema of its name. */
export const eventBody = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  occurredAt: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/**
 * Response header of a service: events as JSON in base64url. The gateway delivers them to their consumers before it replies to the
 * client. The bus delivers them as well.
 */
export const urgentEventsHeader = "x-latchkey-events";
