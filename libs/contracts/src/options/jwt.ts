import { z } from "zod";
import type { FullUser, Session } from "../objects.ts";
import { functionOption, seconds, section } from "./option.ts";

/** What the functions of the `jwt` options are told. */
export interface TokenSubject {
  user: FullUser;
  session: Session;
}

const keyPairConfig = z.discriminatedUnion("alg", [
  z.strictObject({
    alg: z.literal("EdDSA"),
    crv: z.enum(["Ed25519", "Ed448"]).default("Ed25519"),
  }),
  z.strictObject({ alg: z.literal("ES256") }),
  z.strictObject({ alg: z.literal("ES512") }),
  z.strictObject({ alg: z.literal("RS256"), modulusLength: z.int().min(2048).default(2048) }),
  z.strictObject({ alg: z.literal("PS256"), modulusLength: z.int().min(2048).default(2048) }),
]);
export type KeyPairConfig = z.output<typeof keyPairConfig>;

/** `15m`, `1h`, `2 days`: a whole or broken number and a unit, which it captures. */
export const timeSpanForm =
  /^(?:\+ ?)?(\d+(?:\.\d+)?) ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|y|yrs?|years?)(?: from now)?$/i;
const span = z.string().regex(timeSpanForm, "must be a span such as `15m`");

export const jwtOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe("Signed tokens: `/token`, `/jwks` and the header `set-auth-jwt`."),
  jwks: section({
    keyPairConfig: keyPairConfig
      .default({ alg: "EdDSA", crv: "Ed25519" })
      .describe(
        "Algorithm of new keys: `{ alg, crv }` for EdDSA, `{ alg, modulusLength }` for RS256 and PS256, `{ alg }` for ES256 and ES512.",
      ),
    disablePrivateKeyEncryption: z
      .boolean()
      .default(false)
      .describe("Keeps private keys in clear. They are sealed otherwise."),
    rotationInterval: z
      .int()
      .min(60)
      .optional()
      .describe("Seconds after which a new key signs; without it keys change by command only."),
    gracePeriod: seconds
      .default(2_592_000)
      .describe("Seconds for which a key that no longer signs is still published."),
  }),
  jwt: section({
    issuer: z
      .string()
      .min(1)
      .optional()
      .describe("By default the base URL where it has a path, else its origin."),
    audience: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe("By default the base URL where it has a path, else its origin."),
    expirationTime: z
      .union([span, z.int().positive(), z.date()])
      .default("15m")
      .describe("A span such as `15m`, epoch seconds, or a date."),
    definePayload: functionOption<
      (subject: TokenSubject) => Record<string, unknown> | Promise<Record<string, unknown>>
    >()
      .optional()
      .describe("Gives the payload; by default the user object."),
    getSubject: functionOption<(subject: TokenSubject) => string | Promise<string>>()
      .optional()
      .describe("Gives `sub`; by default the user's id."),
  }),
});
