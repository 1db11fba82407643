import { z } from "zod";
import { timestamp } from "./plain-text.ts";

/** The seven members of a user that sign-up, sign-in and get-session show. */
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

/** A session as its owner sees it. Unknown address and user agent are empty text, never null. */
export const sessionSchema = z.object({
  id: z.string(),
  token: z.string(),
  userId: z.string(),
  expiresAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  ipAddress: z.string(),
  userAgent: z.string(),
});
export type Session = z.output<typeof sessionSchema>;
