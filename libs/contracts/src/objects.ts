import { z } from "zod";
import { timestamp } from "./plain-text.ts";

/** The seven members of a user that sign-up, sign-in and change-password return. */
export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  image: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type User = z.output<typeof userSchema>;

/**
 * A complete user, as get-session and admin operations return it. `withFields` adds the configured additional fields. Members of a
 * disabled feature are left out.
 */
export const fullUserSchema = userSchema
  .extend({
    username: z.string().nullable().optional(),
    displayUsername: z.string().nullable().optional(),
    /** In E.164, such as `+491701234567`. */
    phoneNumber: z.string().nullable().optional(),
    phoneNumberVerified: z.boolean().optional(),
    twoFactorEnabled: z.boolean().optional(),
    /** Whether the user is a guest. */
    isAnonymous: z.boolean().optional(),
    role: z.string().nullable().optional(),
    banned: z.boolean().nullable().optional(),
    banReason: z.string().nullable().optional(),
    banExpires: timestamp.nullable().optional(),
  })
  .meta({ fieldsOf: "user" });
export type FullUser = z.output<typeof fullUserSchema>;

/** A session as its owner sees it. An unknown address or user agent is an empty text, never null. */
export const sessionSchema = z
  .object({
    id: z.string(),
    token: z.string(),
    userId: z.string(),
    expiresAt: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
    ipAddress: z.string(),
    userAgent: z.string(),
    /** The id of the admin who impersonates the user in this session. */
    impersonatedBy: z.string().nullable().optional(),
    /** The active organization of the session. */
    activeOrganizationId: z.string().nullable().optional(),
    /** The active team of that organization. Present if teams are on. */
    activeTeamId: z.string().nullable().optional(),
  })
  .meta({ fieldsOf: "session" });
export type Session = z.output<typeof sessionSchema>;

/** The values of the configured additional fields, by name. Their types follow from the configuration, so check them before use. */
export type AdditionalValues = Readonly<Record<string, unknown>>;

/** A user, as functions of the configuration get it. */
export type ConfiguredUser = FullUser & AdditionalValues;

/** A session, as functions of the configuration get it. */
export type ConfiguredSession = Session & AdditionalValues;
