import { z } from "zod";
import { seconds, section } from "./option.ts";

export const sessionOptions = section({
  expiresIn: seconds.min(1).default(604_800).describe("Lifetime of a session, in seconds."),
  updateAge: seconds
    .default(86_400)
    .describe("Seconds after the last extension at which a used session is extended; 0: each use."),
  freshAge: seconds
    .default(86_400)
    .describe("Seconds in which a session counts as fresh; 0 switches the check off."),
  disableSessionRefresh: z.boolean().default(false).describe("Sessions are never extended."),
  storeSessionInDatabase: z
    .boolean()
    .default(false)
    .describe("With Redis: keeps sessions in Postgres too, and falls back to it."),
  preserveSessionInDatabase: z
    .boolean()
    .default(false)
    .describe("Keeps the row of a revoked session, marked as revoked."),
});
