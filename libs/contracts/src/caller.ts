import { z } from "zod";

/**
 * Who asks, as the gateway vouches for it to a service. It travels signed in `x-latchkey-caller` and dies after
 * `callerLifetimeSeconds`; `operation` binds it to one operation, so that it opens no other.
 */
export const callerSchema = z.object({
  requestId: z.string(),
  operation: z.string(),
  /** Origin and base path under which the client reached us, without a trailing slash. */
  baseUrl: z.string(),
  /** Empty when unknown or when tracking is off. */
  address: z.string(),
  userAgent: z.string(),
  /** The internal service that calls, by the name of its token; absent for a caller of the gateway. */
  service: z.string().optional(),
  /** The raw session token, from a cookie or bearer header whose signature was checked. */
  sessionToken: z.string().optional(),
  /** The live session of that token and its user, as identity shows them; for services that keep neither. */
  resolved: z
    .object({
      session: z.record(z.string(), z.unknown()),
      user: z.record(z.string(), z.unknown()),
    })
    .optional(),
  /** The API key by which the client came, where that stands for a session; `resolved` is then there. */
  apiKeyId: z.string().optional(),
  /** The browser holds the marker of a session that ends with the browser. */
  browserSession: z.boolean().optional(),
  /** The admin's own session, kept aside by the browser while it impersonates somebody. */
  parkedSession: z.object({ token: z.string(), browserSession: z.boolean() }).optional(),
  /** What the browser keeps of a sign-in that it has begun at a provider. */
  signInState: z.string().optional(),
});
export type Caller = z.output<typeof callerSchema>;

export const callerHeader = "x-latchkey-caller";
export const callerLifetimeSeconds = 30;
