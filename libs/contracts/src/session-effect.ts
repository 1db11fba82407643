import { z } from "zod";

/**
 * What the cookie cache keeps: session and user as get-session shows them, as JSON. `epoch` is the user's at the moment of
 * reading; the copy is good while no later one is known.
 */
const cachedSession = z.object({
  session: z.record(z.string(), z.unknown()),
  user: z.record(z.string(), z.unknown()),
  epoch: z.number().int(),
});
export type CachedSession = z.output<typeof cachedSession>;

/**
 * What an answer does to the browser's session; only the gateway knows that cookies carry it out.
 * `issue`: the browser now holds `token`, for `maxAgeSeconds`, or until it closes when that is null. With `parks` it keeps
 * the session that it held aside, and with `unparks` it forgets the one that it kept aside.
 * `state`: the browser keeps the state of a sign-in at a provider, until it comes back from there; null is forgotten, as
 * it is by an `issue` that `endsState`.
 * `cache`: nothing but the cached copy is renewed.
 * `clear`: the browser holds no session any more.
 * `cached` is there where the options have the gateway answer from a cookie.
 */
export const sessionEffectSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("issue"),
    token: z.string(),
    maxAgeSeconds: z.number().int().nullable(),
    parks: z.boolean().optional(),
    unparks: z.boolean().optional(),
    endsState: z.boolean().optional(),
    cached: cachedSession.optional(),
  }),
  z.object({
    kind: z.literal("state"),
    state: z.string().nullable(),
    maxAgeSeconds: z.number().int(),
  }),
  z.object({ kind: z.literal("cache"), cached: cachedSession }),
  z.object({ kind: z.literal("clear") }),
]);
export type SessionEffect = z.output<typeof sessionEffectSchema>;

export const sessionEffectHeader = "x-latchkey-effect";

/**
 * On an answer that ended cached sessions: `user id:epoch,...`, ids percent-encoded, so that the gateway knows before its
 * client does.
 */
export const userEpochHeader = "x-latchkey-epoch";
