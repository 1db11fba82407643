import { z } from "zod";

/**
 * What an answer does to the browser's session; only the gateway knows that cookies carry it out.
 * `issue`: the browser now holds `token`, for `maxAgeSeconds`, or until it closes when that is null.
 * `clear`: the browser holds no session any more.
 */
export const sessionEffectSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("issue"),
    token: z.string(),
    maxAgeSeconds: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal("clear") }),
]);
export type SessionEffect = z.output<typeof sessionEffectSchema>;

export const sessionEffectHeader = "x-latchkey-effect";
