import { z } from "zod";
import { section } from "./option.ts";

/** Groups of operations that refuse guests unless the options allow them. */
export const guestAllowances = ["organizations", "apiKeys"] as const;

export const anonymousOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Guests: users without an address or a way to sign in, who become known by a later sign-up or sign-in.",
    ),
  name: z.string().min(1).max(255).default("Anonymous").describe("The name of new guests."),
  allow: z
    .array(z.enum(guestAllowances))
    .default([])
    .describe(
      "Operations that guests may call beside those of their own sessions, name and tokens: those of organizations, or of API keys.",
    ),
  disableDeleteAnonymousUser: z
    .boolean()
    .default(false)
    .describe("Refuses `/delete-anonymous-user`."),
  deleteAfterDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(30)
    .describe(
      "Age from which guests without a session are deleted. Nobody can be such a guest again.",
    ),
  keepLinkedDays: z
    .int()
    .min(0)
    .max(3_650)
    .default(7)
    .describe(
      "Days for which a guest is kept without access after its browser has signed in as an existing user, so that applications can move data.",
    ),
});
