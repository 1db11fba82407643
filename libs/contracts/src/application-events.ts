import { z } from "zod";
import {
  eventApiKey,
  eventInvitation,
  eventMember,
  eventOrganization,
  eventOrganizationRole,
  eventTeam,
  eventUser,
  time,
} from "./application-event-objects.ts";
import type { AuditedService } from "./service-name.ts";

/** The subject of an event. An endpoint receives the events of one subject in order. */
export type EventSubjectKind = "user" | "organization";

interface ApplicationEventDeclaration {
  /** Increases when a member of the data is removed or changes its meaning. New members do not increase it. */
  readonly version: number;
  /** The service whose audit log records the change. */
  readonly service: Exclude<AuditedService, "mailer" | "webhooks">;
  /** One sentence for the reference page. */
  readonly summary: string;
  /** The permission that an admin needs to receive the event. */
  readonly permission: { readonly resource: string; readonly action: "list" };
  readonly data: z.ZodObject;
}

const ofUsers = {
  version: 1,
  service: "identity",
  permission: { resource: "user", action: "list" },
} as const;
const ofSessions = { ...ofUsers, permission: { resource: "session", action: "list" } } as const;
const ofOrganizations = {
  version: 1,
  service: "organization",
  permission: { resource: "organization", action: "list" },
} as const;
const ofKeys = {
  version: 1,
  service: "apikey",
  permission: { resource: "apiKey", action: "list" },
} as const;

const userId = z.string();
const organizationId = z.string();

/** Null if the object was deleted before the event was recorded. Its deletion is an event of its own. */
const current = <Shape extends z.ZodObject>(object: Shape) => object.nullable();

const aboutUser = z.object({ userId, user: current(eventUser) });
const aboutPasskey = z.object({ userId, passkeyId: z.string().nullable() });
const aboutOrganization = z.object({ organizationId, organization: current(eventOrganization) });
const aboutMember = z.object({
  organizationId,
  memberId: z.string(),
  userId,
  member: current(eventMember),
});
const aboutInvitation = z.object({
  organizationId,
  invitationId: z.string(),
  invitation: current(eventInvitation),
});
const aboutRole = z.object({
  organizationId,
  roleId: z.string(),
  role: current(eventOrganizationRole),
});
const aboutTeam = z.object({ organizationId, teamId: z.string(), team: current(eventTeam) });
/** The names of the changed members, with additional fields by their own names. */
const changes = z.array(z.string());
/** One of the owners is null. */
const owner = { userId: z.string().nullable(), organizationId: z.string().nullable() };
const aboutKey = z.object({ apiKeyId: z.string(), ...owner, apiKey: current(eventApiKey) });
const endedKey = z.object({ apiKeyId: z.string(), ...owner });

/**
 * The events that applications receive, by type. Each is derived from the audit entry that commits with the change. Objects in the data have
 * their state at the moment when the event was recorded, which may include later changes.
 */
export const applicationEvents = {
  "user.created": { ...ofUsers, summary: "A user was created.", data: aboutUser },
  "user.updated": {
    ...ofUsers,
    summary: "A member of a user changed, such as the name, the role or the address.",
    data: aboutUser.extend({ changes }),
  },
  "user.deleted": {
    ...ofUsers,
    summary: "A user was deleted.",
    data: z.object({ userId }),
  },
  "user.merged": {
    ...ofUsers,
    summary:
      "Another user was merged into a user. `user.deleted` follows for the other one, unless the merge is undone.",
    data: z.object({ userId, mergedUserId: z.string() }),
  },
  "user.merge-undone": {
    ...ofUsers,
    summary: "A merge was undone. Both users are separate again.",
    data: z.object({ userId, mergedUserId: z.string() }),
  },
  "user.linked": {
    ...ofUsers,
    summary:
      "A guest became a user: this one, by a sign-up with the same id, or an existing one, by a sign-in. In the latter case the guest is deleted later.",
    data: z.object({ userId, guestId: z.string() }),
  },
  "user.banned": { ...ofUsers, summary: "A user was banned.", data: aboutUser },
  "user.unbanned": {
    ...ofUsers,
    summary: "The ban of a user was lifted or expired.",
    data: aboutUser,
  },
  "user.email-changed": {
    ...ofUsers,
    summary: "The email address of a user changed. `user.updated` reports the change too.",
    data: aboutUser,
  },
  "user.phone-changed": {
    ...ofUsers,
    summary:
      "The phone number of a user was added, replaced or removed. `user.updated` reports the change too.",
    data: aboutUser,
  },
  "user.password-changed": {
    ...ofUsers,
    summary: "The password of a user was set, changed or reset.",
    data: z.object({ userId }),
  },
  "user.password-compromised": {
    ...ofUsers,
    summary: "A user signed in with a password that is known from leaks. Once for each password.",
    data: z.object({ userId }),
  },
  "session.created": {
    ...ofSessions,
    summary: "A session of a user began.",
    data: z.object({
      userId,
      sessionId: z.string(),
      expiresAt: time,
      /** Whether an admin impersonates the user. */
      isImpersonation: z.boolean(),
    }),
  },
  "session.revoked": {
    ...ofSessions,
    summary: "A session ended by a sign-out or was revoked.",
    data: z.object({ userId, sessionId: z.string() }),
  },
  "session.all-revoked": {
    ...ofSessions,
    summary: "All sessions of a user were revoked, or all but the current one.",
    data: z.object({
      userId,
      /** Whether the session that made the request continues. */
      exceptCurrent: z.boolean(),
    }),
  },
  "account.linked": {
    ...ofUsers,
    summary: "An account at a provider was linked to a user.",
    data: z.object({ userId, accountId: z.string(), providerId: z.string() }),
  },
  "account.unlinked": {
    ...ofUsers,
    summary: "An account at a provider was unlinked from a user.",
    data: z.object({ userId, accountId: z.string(), providerId: z.string() }),
  },
  "two-factor.enabled": {
    ...ofUsers,
    summary: "A user turned the second factor on.",
    data: z.object({ userId }),
  },
  "two-factor.disabled": {
    ...ofUsers,
    summary: "The second factor of a user was turned off or removed by an admin.",
    data: z.object({ userId }),
  },
  "passkey.added": { ...ofUsers, summary: "A user registered a passkey.", data: aboutPasskey },
  "passkey.updated": { ...ofUsers, summary: "A user renamed a passkey.", data: aboutPasskey },
  "passkey.removed": { ...ofUsers, summary: "A passkey was removed.", data: aboutPasskey },
  "organization.created": {
    ...ofOrganizations,
    summary: "An organization was created.",
    data: aboutOrganization,
  },
  "organization.updated": {
    ...ofOrganizations,
    summary: "An organization or its second-factor policy changed.",
    data: aboutOrganization.extend({ changes }),
  },
  "organization.deleted": {
    ...ofOrganizations,
    summary: "An organization was deleted with its members, invitations and teams.",
    data: z.object({ organizationId }),
  },
  "member.added": {
    ...ofOrganizations,
    summary: "A user became a member of an organization.",
    data: aboutMember,
  },
  "member.updated": {
    ...ofOrganizations,
    summary: "The role, the teams or an additional field of a member changed.",
    data: aboutMember.extend({ changes }),
  },
  "member.removed": {
    ...ofOrganizations,
    summary: "A member left an organization or was removed.",
    data: aboutMember.omit({ member: true }),
  },
  "invitation.created": {
    ...ofOrganizations,
    summary: "Someone was invited to an organization.",
    data: aboutInvitation,
  },
  "invitation.updated": {
    ...ofOrganizations,
    summary: "An invitation was sent again and expires later.",
    data: aboutInvitation,
  },
  "invitation.accepted": {
    ...ofOrganizations,
    summary: "An invitation was accepted.",
    data: aboutInvitation,
  },
  "invitation.rejected": {
    ...ofOrganizations,
    summary: "An invitation was declined.",
    data: aboutInvitation,
  },
  "invitation.canceled": {
    ...ofOrganizations,
    summary: "An invitation was withdrawn or deleted.",
    data: aboutInvitation,
  },
  "team.created": { ...ofOrganizations, summary: "A team was created.", data: aboutTeam },
  "team.updated": {
    ...ofOrganizations,
    summary: "The name or an additional field of a team changed.",
    data: aboutTeam.extend({ changes }),
  },
  "team.deleted": {
    ...ofOrganizations,
    summary: "A team was deleted.",
    data: aboutTeam.omit({ team: true }),
  },
  "organization-role.created": {
    ...ofOrganizations,
    summary: "An organization made a role.",
    data: aboutRole,
  },
  "organization-role.updated": {
    ...ofOrganizations,
    summary: "The name or the permissions of an organization's role changed.",
    data: aboutRole,
  },
  "organization-role.deleted": {
    ...ofOrganizations,
    summary: "A role of an organization was deleted.",
    data: aboutRole.omit({ role: true }),
  },
  "api-key.created": { ...ofKeys, summary: "An API key was created.", data: aboutKey },
  "api-key.updated": {
    ...ofKeys,
    summary: "An API key was changed, enabled, disabled or replaced by a new one.",
    data: aboutKey,
  },
  "api-key.deleted": { ...ofKeys, summary: "An API key was deleted or expired.", data: endedKey },
  "api-key.exhausted": {
    ...ofKeys,
    summary: "An API key had no uses left and was deleted.",
    data: endedKey,
  },
} as const satisfies Record<string, ApplicationEventDeclaration>;

export type ApplicationEventType = keyof typeof applicationEvents;
/** The types of the events that a service records. */
export type EventTypeOf<S extends ApplicationEventDeclaration["service"]> = {
  [T in ApplicationEventType]: (typeof applicationEvents)[T]["service"] extends S ? T : never;
}[ApplicationEventType];
export type ApplicationEventData<T extends ApplicationEventType> = z.output<
  (typeof applicationEvents)[T]["data"]
>;

export const applicationEventTypes = Object.keys(
  applicationEvents,
) as readonly ApplicationEventType[];

/** The type of the event that an admin sends to test an endpoint. It is not in the list of events. */
export const testEventType = "webhook.test";

/** An event as a service records it, without its id. */
export type RecordedEvent = {
  [T in ApplicationEventType]: {
    type: T;
    subject: { kind: EventSubjectKind; id: string };
    data: ApplicationEventData<T>;
  };
}[ApplicationEventType];

/** An event on its way to the webhooks service. */
export const recordedEvent = z.object({
  id: z.string(),
  type: z.string(),
  version: z.number(),
  occurredAt: time,
  subject: z.object({ kind: z.enum(["user", "organization"]), id: z.string() }),
  data: z.record(z.string(), z.unknown()),
});

/** An event as applications receive it: the body of a webhook, and an entry of the list of events. */
export const applicationEvent = z.object({
  id: z.string(),
  type: z.string(),
  version: z.number(),
  timestamp: time,
  data: z.record(z.string(), z.unknown()),
});
export type ApplicationEvent = z.output<typeof applicationEvent>;

/** Returns the JSON Schema of each event as applications receive it. */
export const describeApplicationEvents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(applicationEvents).map(([type, { version, summary, data }]) => [
      type,
      {
        description: summary,
        ...(z.toJSONSchema(
          applicationEvent.extend({
            type: z.literal(type),
            version: z.literal(version),
            data,
          }),
        ) as object),
      },
    ]),
  );
