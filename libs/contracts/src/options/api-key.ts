import { z } from "zod";
import type { Permissions } from "../access-control.ts";
import { functionOption, section } from "./option.ts";
import { namingOptions } from "./user.ts";

type MaybePromise<T> = T | Promise<T>;

/** The request that an API key came with, for the functions that are asked about it. */
export interface ApiKeyRequest {
  method: string;
  /** Below the base path; of the operation where services ask. */
  path: string;
}

type WithHeaders = ApiKeyRequest & {
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** Fewer random letters than that could be guessed. */
const keyLengthMin = 24;
const keyLengthMax = 256;
/** A hundred years. */
const secondsMax = 3_153_600_000;
const yearMilliseconds = 31_536_000_000;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")
  .transform((name) => name.toLowerCase());

const lengthOption = z.int().min(0).max(255);

const permissionMap = z.record(z.string().min(1), z.array(z.string().min(1)));

export const apiKeyOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Operations of owners and admins, and keys in headers; where it is false, services verify, create and change keys all the same.",
    ),
  enableSessionForAPIKeys: z
    .boolean()
    .default(false)
    .describe("A key in a header stands for a session of its owner."),
  apiKeyHeaders: z
    .union([headerName, z.array(headerName).min(1)])
    .default("x-api-key")
    .describe("Headers that may hold a key; the first that does counts."),
  customAPIKeyGetter: functionOption<(request: WithHeaders) => MaybePromise<unknown>>()
    .optional()
    .describe("Gives the key of a request, or null, in place of the headers."),
  customAPIKeyValidator: functionOption<
    (data: { ctx: ApiKeyRequest; key: string }) => MaybePromise<boolean>
  >()
    .optional()
    .describe("Says of each key, before it is looked for, whether it can be one."),
  customKeyGenerator: functionOption<
    (data: { length: number; prefix: string | undefined }) => MaybePromise<string>
  >()
    .optional()
    .describe("Makes new keys, prefix included, in place of random letters."),
  disableKeyHashing: z
    .boolean()
    .default(false)
    .describe("Stores keys as they are: who reads the database can then use them."),
  defaultKeyLength: z
    .int()
    .min(keyLengthMin)
    .max(keyLengthMax)
    .default(64)
    .describe("Random letters of a key, without its prefix; shorter keys are never looked for."),
  defaultPrefix: z
    .string()
    .regex(/^[a-zA-Z0-9_-]*$/, "must be letters, digits, `_` and `-`")
    .optional()
    .describe("Beginning of keys that name none."),
  minimumPrefixLength: lengthOption.default(1).describe("Least length of a prefix."),
  maximumPrefixLength: lengthOption.default(32).describe("Greatest length of a prefix."),
  minimumNameLength: lengthOption.default(1).describe("Least length of a name."),
  maximumNameLength: lengthOption.default(32).describe("Greatest length of a name."),
  enableMetadata: z.boolean().default(false).describe("Keys may carry metadata."),
  keyExpiration: section({
    defaultExpiresIn: z
      .int()
      .min(1)
      .max(secondsMax)
      .nullable()
      .default(null)
      .describe("Lifetime in seconds of a key that names none; null is for ever."),
    disableCustomExpiresTime: z
      .boolean()
      .default(false)
      .describe("Nobody names lifetimes, services neither."),
    minExpiresIn: z.number().min(0).default(1).describe("Shortest lifetime, in days."),
    maxExpiresIn: z.number().min(0).max(36_500).default(365).describe("Longest lifetime, in days."),
  }),
  rateLimit: section({
    enabled: z.boolean().default(true).describe("Keys have rate limits."),
    timeWindow: z
      .int()
      .min(1)
      .max(yearMilliseconds)
      .default(86_400_000)
      .describe("Milliseconds without a use after which the count of a key starts anew."),
    maxRequests: z.int().min(1).max(2_147_483_647).default(10).describe("Uses in a window."),
  }),
  startingCharactersConfig: section({
    shouldStore: z.boolean().default(true).describe("The beginning of a key is kept, to tell it."),
    charactersLength: z.int().min(1).max(12).default(6).describe("How much of it."),
  }),
  permissions: section({
    defaultPermissions: z
      .union([
        permissionMap,
        functionOption<
          (userId: string, request: ApiKeyRequest) => MaybePromise<Permissions | null | undefined>
        >(),
      ])
      .optional()
      .describe("What keys that name no permissions may do."),
  }),
  unknownKeys: section({
    window: z.int().min(1).max(86_400).default(60).describe("Seconds of the window."),
    max: z
      .int()
      .min(1)
      .default(600)
      .describe(
        "Unknown keys that a service token may ask about in a window, at each replica; then only keys that were lately good are looked at.",
      ),
  }),
  usageRetentionDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe("Days that the daily counts of uses are kept."),
  schema: section({ apikey: section(namingOptions("key")) }),
});
