import { z } from "zod";
import { seconds, section } from "./option.ts";
import { sessionFieldOptions } from "./user.ts";

export const sessionOptions = section({
  expiresIn: seconds.min(1).default(604_800).describe("Lifetime of a session, in seconds."),
  updateAge: seconds
    .default(86_400)
    .describe(
      "Seconds after its last extension at which a used session is extended. 0 extends it at each use.",
    ),
  freshAge: seconds
    .default(86_400)
    .describe("Seconds for which a session counts as fresh. 0 turns the check off."),
  disableSessionRefresh: z.boolean().default(false).describe("Sessions are never extended."),
  deferSessionRefresh: z
    .boolean()
    .default(false)
    .describe(
      "Extends sessions only by `POST /get-session`. `GET` returns `needsRefresh`, upon which the 1.7 client sends the POST.",
    ),
  storeSessionInDatabase: z
    .boolean()
    .default(false)
    .describe("With Redis: stores sessions in Postgres. Redis keeps limits and messages."),
  preserveSessionInDatabase: z
    .boolean()
    .default(false)
    .describe("Keeps the row of a revoked session, marked as revoked."),
  mailNewBrowsers: z
    .boolean()
    .default(false)
    .describe(
      "Notifies users with a verified address of each sign-in from a browser in which they have not signed in before.",
    ),
  cookieCache: section({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        "The gateway answers get-session from a signed cookie, without a store. Sessions of more than 3 KB as JSON are too large for it.",
      ),
    maxAge: seconds
      .min(1)
      .max(86_400)
      .default(300)
      .describe("Seconds for which the cookie is used. A revocation ends it at once."),
  }),
  ...sessionFieldOptions,
});
