import { z } from "zod";

/**
 * The reply to a sign-in that needs a second factor. The browser keeps the sign-in in the value `twoFactor`. Clients recognize it by
 * `twoFactorRedirect`, whatever the operation.
 */
export const twoFactorChallenge = z.object({
  twoFactorRedirect: z.literal(true),
  /** The offered factors. Backup codes work for every user who has some, and are not named. */
  twoFactorMethods: z.array(z.enum(["totp", "otp"])),
  /** The user must set up a second factor now, because one is required and there is none. */
  twoFactorEnrolment: z.literal(true).optional(),
});
export type TwoFactorChallenge = z.output<typeof twoFactorChallenge>;

/** Returns whether the reply of a sign-in asks for a second factor. */
export const isChallenge = (reply: object): reply is TwoFactorChallenge =>
  "twoFactorRedirect" in reply;

/** The reply of an operation that signs in: its own, or the request for a second factor. */
export const orChallenge = <Reply extends z.ZodType>(reply: Reply) =>
  z.union([twoFactorChallenge, reply]);
