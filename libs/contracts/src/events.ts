import { z } from "zod";
import type { ServiceName } from "./service-name.ts";

interface EventDeclaration {
  readonly version: number;
  /** Data of sealed events is encrypted wherever it rests, because it holds a secret such as a link. */
  readonly sealed: boolean;
  readonly data: z.ZodType;
  readonly consumers: readonly ServiceName[];
}

/** A mail around one link. `email` is where it goes. */
const linkMail = {
  version: 1,
  sealed: true,
  data: z.object({ userId: z.string(), email: z.string(), name: z.string(), url: z.string() }),
  consumers: ["mailer"],
} as const;

/** What happened, published with the change that it tells of. Data is JSON; a consumer checks it by its schema. */
export const eventCatalogue = {
  /** A member of the user object changed; copies of it held elsewhere are to be renewed. */
  "user.updated": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string() }),
    consumers: ["identity"],
  },
  /** Somebody asked to prove an e-mail address; `url` holds the token. */
  "verification.requested": linkMail,
  /** Every session of a user is to end, but the one whose token has the hash `exceptHash` (hex). */
  "session.revoked-all": {
    version: 1,
    sealed: false,
    data: z.object({ userId: z.string(), exceptHash: z.string().optional() }),
    consumers: ["identity"],
  },
  /** A user has ceased to exist. */
  "user.deleted": {
    version: 1,
    sealed: false,
    data: z.object({
      userId: z.string(),
      /** Absent where an earlier version wrote it. */
      email: z.string().optional(),
    }),
    consumers: ["identity", "organization", "apikey"],
  },
  /** A ban of a user began, changed or was lifted. Of two, that of the higher revision tells how it stands. */
  "user.ban-changed": {
    version: 1,
    sealed: false,
    data: z.object({
      userId: z.string(),
      revision: z.number(),
      banned: z.boolean(),
      /** When it ends by itself, as ISO 8601; null for good. */
      banExpires: z.string().nullable(),
    }),
    consumers: ["apikey"],
  },
  /** Somebody was invited to an organization; `url` leads to where they may accept. */
  "invitation.sent": {
    version: 1,
    sealed: true,
    data: z.object({
      invitationId: z.string(),
      email: z.string(),
      organizationName: z.string(),
      inviterName: z.string(),
      inviterEmail: z.string(),
      url: z.string(),
      expiresAt: z.string(),
    }),
    consumers: ["mailer"],
  },
  /** Somebody is not a member of an organization any more. */
  "member.removed": {
    version: 1,
    sealed: false,
    data: z.object({ organizationId: z.string(), userId: z.string() }),
    consumers: ["identity"],
  },
  /** An organization has ceased to exist; told once for every thousand of those who were its members. */
  "organization.deleted": {
    version: 1,
    sealed: false,
    data: z.object({ organizationId: z.string(), userIds: z.array(z.string()).max(1_000) }),
    consumers: ["identity"],
  },
  /** Somebody asked for a new password; `url` holds the token. */
  "password-reset.requested": linkMail,
  /** Somebody asked for their account to be deleted; `url` holds the token. */
  "account-deletion.requested": linkMail,
  /** An account at a provider was linked to a user, who is told of it. */
  "account.linked": {
    version: 1,
    sealed: false,
    data: z.object({
      userId: z.string(),
      email: z.string(),
      name: z.string(),
      provider: z.string(),
    }),
    consumers: ["mailer"],
  },
  /** An account at a provider was unlinked; the provider is to end what `token` allows. */
  "account.unlinked": {
    version: 1,
    sealed: true,
    data: z.object({
      userId: z.string(),
      providerId: z.string(),
      /** The account's id at the provider; missing in rows of earlier versions. */
      accountId: z.string().optional(),
      token: z.string(),
      kind: z.enum(["access_token", "refresh_token"]),
    }),
    consumers: ["identity"],
  },
  /** An admin gave a mail that had failed all its tries again. */
  "delivery.retried": {
    version: 1,
    sealed: false,
    data: z.object({ deliveryId: z.string() }),
    consumers: ["mailer"],
  },
  /** Somebody asked to change a verified address; `url`, which goes to the old one, holds the token. */
  "email-change.requested": {
    ...linkMail,
    data: linkMail.data.extend({ newEmail: z.string() }),
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventName = keyof typeof eventCatalogue;
export type EventData<N extends EventName> = z.output<(typeof eventCatalogue)[N]["data"]>;

/** The events that a service consumes. */
export type ConsumedBy<S extends ServiceName> = {
  [N in EventName]: S extends (typeof eventCatalogue)[N]["consumers"][number] ? N : never;
}[EventName];

/** An event as it travels: `id` is unique, and the same in every delivery of it. */
export interface Event<N extends EventName = EventName> {
  id: string;
  name: N;
  version: number;
  occurredAt: string;
  data: EventData<N>;
}
