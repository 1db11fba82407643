import { z } from "zod";
import { timestamp } from "./plain-text.ts";

/** The seven members of a user that sign-up, sign-in and change-password show. */
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
 * A user whole, as get-session and admin operations show it; further members are the configured additional fields, which
 * `withFields` adds. Members of a feature that is off are left out.
 */
export const fullUserSchema = userSchema
  .extend({
    username: z.string().nullable().optional(),
    displayUsername: z.string().nullable().optional(),
    role: z.string().nullable().optional(),
    banned: z.boolean().nullable().optional(),
    banReason: z.string().nullable().optional(),
    banExpires: timestamp.nullable().optional(),
  })
  .meta({ fieldsOf: "user" });
export type FullUser = z.output<typeof fullUserSchema>;

/** A session as its owner sees it. Unknown address and user agent are empty text, never null. */
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
    /** The id of the admin who impersonates the user in it. */
    impersonatedBy: z.string().nullable().optional(),
    /** The organization that it works in. */
    activeOrganizationId: z.string().nullable().optional(),
  })
  .meta({ fieldsOf: "session" });
export type Session = z.output<typeof sessionSchema>;
