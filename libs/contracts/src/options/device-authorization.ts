import { z } from "zod";
import { pageUrl, seconds, section } from "./option.ts";

export const deviceAuthorizationOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Command lines, televisions and other devices without a browser sign in by a code that their user confirms elsewhere (RFC 8628).",
    ),
  expiresIn: seconds
    .min(60)
    .max(1_800)
    .default(600)
    .describe("Seconds that a user has to confirm a code."),
  interval: seconds
    .min(1)
    .max(60)
    .default(5)
    .describe("Seconds that a device waits between two questions whether its user has confirmed."),
  verificationUri: pageUrl
    .optional()
    .describe("Page on which users enter codes. By default that of the account web."),
  clients: z
    .array(
      z.strictObject({
        id: z
          .string()
          .regex(/^[\x21-\x7E]{1,255}$/, "must be visible ASCII characters without blanks"),
        name: z.string().min(1).max(200),
      }),
    )
    .max(100)
    .default([])
    .describe(
      "Your own applications on devices. They get a session, which may do everything that its user may. All others are OAuth clients, and get tokens for their scopes.",
    ),
});
