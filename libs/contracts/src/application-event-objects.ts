import { z } from "zod";

export const time = z.iso.datetime();

/** The public members of a user, with the additional fields that replies show, by their own names. */
export const eventUser = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.string().nullable(),
    username: z.string().nullable(),
    displayUsername: z.string().nullable(),
    /** Absent, like the next one, in events of earlier versions. */
    phoneNumber: z.string().nullable().optional(),
    phoneNumberVerified: z.boolean().optional(),
    twoFactorEnabled: z.boolean(),
    /** Present if the user is a guest. */
    isAnonymous: z.literal(true).optional(),
    role: z.string().nullable(),
    banned: z.boolean(),
    banReason: z.string().nullable(),
    /** When the ban expires. Null if it is permanent, and without a ban. */
    banExpires: time.nullable(),
    createdAt: time,
    updatedAt: time,
    /** Increases with each change of the user, so that an older state can be told from a newer one. */
    revision: z.number(),
  })
  .catchall(z.json());
export type EventUser = z.output<typeof eventUser>;

/** An organization, with the additional fields that replies show, by their own names. So are its members, invitations and teams. */
export const eventOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    logo: z.string().nullable(),
    createdAt: time,
  })
  .catchall(z.json());
export type EventOrganization = z.output<typeof eventOrganization>;

export const eventMember = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    userId: z.string(),
    /** Role names, separated by commas. */
    role: z.string(),
    /** The first of the member's teams. */
    teamId: z.string().nullable(),
    /** All teams of the member, in the order of joining. */
    teamIds: z.array(z.string()),
    createdAt: time,
  })
  .catchall(z.json());
export type EventMember = z.output<typeof eventMember>;

export const eventInvitation = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    email: z.string(),
    role: z.string(),
    /** The first of the teams that the invited person joins. */
    teamId: z.string().nullable(),
    /** All of them. */
    teamIds: z.array(z.string()),
    status: z.string(),
    expiresAt: time,
    inviterId: z.string(),
    createdAt: time,
  })
  .catchall(z.json());
export type EventInvitation = z.output<typeof eventInvitation>;

export const eventTeam = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    name: z.string(),
    createdAt: time,
  })
  .catchall(z.json());
export type EventTeam = z.output<typeof eventTeam>;

/** A role that an organization made itself. */
/** An organization, with the additional fields that replies show, by their own names. So are its members, invitations and teams. */
export const eventOrganizationRole = z.object({
  id: z.string(),
  organizationId: z.string(),
  role: z.string(),
  permission: z.record(z.string(), z.array(z.string())),
  createdAt: time,
});
export type EventOrganizationRole = z.output<typeof eventOrganizationRole>;

/** An API key without its text and without its hash. */
export const eventApiKey = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The first characters of the key. */
  start: z.string().nullable(),
  prefix: z.string().nullable(),
  enabled: z.boolean(),
  /** Uses that are left. Null without a limit. */
  remaining: z.number().nullable(),
  expiresAt: time.nullable(),
  permissions: z.record(z.string(), z.array(z.string())).nullable(),
  createdAt: time,
  updatedAt: time,
});
export type EventApiKey = z.output<typeof eventApiKey>;
