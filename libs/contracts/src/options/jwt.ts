import { z } from "zod";
import type { Authentication } from "../authentication.ts";
import type { ConfiguredSession, ConfiguredUser } from "../objects.ts";
import { functionOption, seconds, section } from "./option.ts";

/** The arguments of the functions in the `jwt` options. */
export interface TokenSubject {
  user: ConfiguredUser;
  session: ConfiguredSession;
  /** How the user was authenticated. Absent for the session of an API key. */
  authentication?: Authentication;
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

/** `15m`, `1h`, `2 days`: an integer or decimal number and a unit, both captured. */
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
      .describe("Stores private keys in plain text. By default they are encrypted."),
    rotationInterval: z
      .int()
      .min(60)
      .optional()
      .describe("Seconds after which a new key signs. If not set, keys change only by command."),
    gracePeriod: seconds
      .default(2_592_000)
      .describe("Seconds for which a key is still published after it stops signing."),
  }),
  jwt: section({
    issuer: z
      .string()
      .min(1)
      .optional()
      .describe("By default the base URL if it has a path, otherwise its origin."),
    audience: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe("By default the base URL if it has a path, otherwise its origin."),
    expirationTime: z
      .union([span, z.int().positive(), z.date()])
      .default("15m")
      .describe("A span such as `15m`, epoch seconds, or a date."),
    definePayload: functionOption<
      (subject: TokenSubject) => Record<string, unknown> | Promise<Record<string, unknown>>
    >()
      .optional()
      .describe("Returns the payload. By default the user object."),
    getSubject: functionOption<(subject: TokenSubject) => string | Promise<string>>()
      .optional()
      .describe("Returns `sub`. By default the user's id."),
  }),
});
