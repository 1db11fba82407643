import { z } from "zod";
import { keptChanges } from "./kept-values.ts";

/**
 * The content of the cookie cache: session and user as get-session returns them, as JSON. `epoch` is the user's revision at the time of
 * reading. The cache is valid until a later revision is known.
 */
const cachedSession = z.object({
  session: z.record(z.string(), z.unknown()),
  user: z.record(z.string(), z.unknown()),
  epoch: z.number().int(),
});
export type CachedSession = z.output<typeof cachedSession>;

/**
 * Changes of the device sessions that a browser holds, by slot. Null empties the slot. `maxAgeSeconds` is as for `issue`.
 */
const deviceSessions = z.array(
  z.object({
    slot: z.number().int(),
    session: z
      .object({
        token: z.string(),
        userId: z.string(),
        maxAgeSeconds: z.number().int().nullable(),
      })
      .nullable(),
  }),
);
export type DeviceSessionChange = z.output<typeof deviceSessions>[number];

/**
 * The effect of a reply on the browser's session. Only the gateway knows that cookies implement it.
 * - `issue`: the browser now holds `token`, for `maxAgeSeconds`, or until it closes if that is null. With `parks` it keeps its previous
 *   session aside. With `unparks` it deletes the session that it kept aside, even if the request used that one. With `toApp` the
 *   session is not the browser's. The mobile app whose address the reply redirects to receives its cookies.
 * - `state`: the browser keeps the state of a sign-in at a provider until it returns from there. Null deletes it, as does an `issue` with
 *   `endsState`.
 * - `link`: the browser keeps the value that identifies it as the one that requested a mailed link.
 * - `cache`: only the session cookie cache is renewed, with the session and user of the reply. `epoch` is as in `cached`.
 * - `clear`: the browser no longer holds a session. `endsState` and `toApp` are as for `issue`.
 * - `keep`: the session stays, and kept values change. `endsState` is as for `issue`.
 *
 * `deviceSessions` changes slots as well. An `issue` without it continues the held session, whose slot follows. `signedInBy` is the way of a
 * sign-in, for a cookie that scripts read.
 *
 * `cached` is present if the options let the gateway answer from a cookie. `keeps` changes kept values as well. An `issue` and a `clear`
 * also delete the `twoFactor` value, unless they set it.
 */
export const sessionEffectSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("issue"),
    token: z.string(),
    maxAgeSeconds: z.number().int().nullable(),
    parks: z.boolean().optional(),
    unparks: z.boolean().optional(),
    endsState: z.boolean().optional(),
    toApp: z.boolean().optional(),
    cached: cachedSession.optional(),
    keeps: keptChanges.optional(),
    deviceSessions: deviceSessions.optional(),
    signedInBy: z.string().optional(),
  }),
  z.object({
    kind: z.literal("state"),
    state: z.string().nullable(),
    maxAgeSeconds: z.number().int(),
  }),
  z.object({
    kind: z.literal("link"),
    browser: z.string(),
    maxAgeSeconds: z.number().int(),
  }),
  z.object({ kind: z.literal("cache"), epoch: z.number().int() }),
  z.object({
    kind: z.literal("clear"),
    endsState: z.boolean().optional(),
    toApp: z.boolean().optional(),
    keeps: keptChanges.optional(),
    deviceSessions: deviceSessions.optional(),
    signedInBy: z.string().optional(),
  }),
  z.object({
    kind: z.literal("keep"),
    endsState: z.boolean().optional(),
    keeps: keptChanges,
    deviceSessions: deviceSessions.optional(),
    signedInBy: z.string().optional(),
  }),
]);
export type SessionEffect = z.output<typeof sessionEffectSchema>;

export const sessionEffectHeader = "x-latchkey-effect";

/**
 * Header of a reply that invalidated cached sessions: `user id:epoch,...`, ids percent-encoded. The gateway learns the revisions before
 * its client sees the reply.
 */
export const userRevisionHeader = "x-latchkey-epoch";
