import { z } from "zod";
import { seconds, section } from "./option.ts";

/** A browser has one cookie for each of its device sessions. */
export const deviceSlotsMax = 10;

export const multiSessionOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe("Several users can be signed in in one browser, and switch without a password."),
  maximumSessions: z
    .int()
    .min(2)
    .max(deviceSlotsMax)
    .default(5)
    .describe("Users who can be signed in in one browser. A sign-in of one more is refused."),
});

export const lastLoginMethodOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Each browser keeps the way of its last sign-in in a cookie that scripts read. The account web offers that way first. It tells other users of the browser how somebody signs in.",
    ),
  cookieName: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, "must be letters, digits, `.`, `_` or `-`")
    .default("better-auth.last_used_login_method")
    .describe("Name of that cookie. Clients look for the default unless they are told another."),
  maxAge: seconds.min(1).default(2_592_000).describe("Seconds for which browsers keep it."),
});
