import { z } from "zod";
import type { Permissions } from "../access-control.ts";
import { functionOption, section } from "./option.ts";
import { namingOptions } from "./additional-field.ts";

type MaybePromise<T> = T | Promise<T>;

/** The request that carries an API key, as the option functions receive it. */
export interface ApiKeyRequest {
  method: string;
  /** Below the base path. Of the called operation, if a service verifies the key. */
  path: string;
}

type WithHeaders = ApiKeyRequest & {
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** Shorter keys could be guessed. */
const keyLengthMin = 24;
const keyLengthMax = 256;
/** A hundred years. */
const secondsMax = 3_153_600_000;
const yearMilliseconds = 31_536_000_000;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")
  .transform((name) => name.toLowerCase());

/** The longest lifetime of a key that can be requested if the options set no maximum, in days. */
export const namedDaysMax = 365;

const lengthOption = z.int().min(0).max(255);

const permissionMap = z.record(z.string().min(1), z.array(z.string().min(1)));

export const apiKeyOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Enables the operations of owners and admins, and keys in headers. If off, services can still verify, create and change keys.",
    ),
  enableSessionForAPIKeys: z
    .boolean()
    .default(false)
    .describe("A key in a header stands for a session of its owner."),
  mailNewKeys: z
    .boolean()
    .default(true)
    .describe(
      "Mails users about each key that they or an admin created or re-rolled. Keys that services create are not mailed. A user gets ten such mails a day.",
    ),
  apiKeyHeaders: z
    .union([headerName, z.array(headerName).min(1)])
    .default("x-api-key")
    .describe("Headers that may hold a key. The first one present is used."),
  customAPIKeyGetter: functionOption<(request: WithHeaders) => MaybePromise<unknown>>()
    .optional()
    .describe("Returns the key of a request, or null. Replaces the headers."),
  customAPIKeyValidator: functionOption<
    (data: { ctx: ApiKeyRequest; key: string }) => MaybePromise<boolean>
  >()
    .optional()
    .describe("Checks the form of each key before it is looked up."),
  customKeyGenerator: functionOption<
    (data: { length: number; prefix: string | undefined }) => MaybePromise<string>
  >()
    .optional()
    .describe("Generates new keys, including their prefix. By default, keys are random letters."),
  disableKeyHashing: z
    .boolean()
    .default(false)
    .describe("Stores keys in plain text. Anyone who can read the database can then use them."),
  defaultKeyLength: z
    .int()
    .min(keyLengthMin)
    .max(keyLengthMax)
    .default(64)
    .describe(
      "Number of random letters in a key, without its prefix. Shorter keys are never looked up.",
    ),
  defaultPrefix: z
    .string()
    .regex(/^[a-zA-Z0-9_-]*$/, "must be letters, digits, `_` and `-`")
    .optional()
    .describe("Prefix of keys that name none."),
  minimumPrefixLength: lengthOption.default(1).describe("Minimum length of a prefix."),
  maximumPrefixLength: lengthOption.default(32).describe("Maximum length of a prefix."),
  minimumNameLength: lengthOption.default(1).describe("Minimum length of a name."),
  maximumNameLength: lengthOption.default(32).describe("Maximum length of a name."),
  enableMetadata: z.boolean().default(false).describe("Keys may carry metadata."),
  keyExpiration: section({
    defaultExpiresIn: z
      .int()
      .min(1)
      .max(secondsMax)
      .nullable()
      .default(null)
      .describe(
        "Default lifetime of a key in seconds. Null means `maxExpiresIn`. Without `maxExpiresIn`, owners cannot request a longer lifetime than this default.",
      ),
    disableCustomExpiresTime: z
      .boolean()
      .default(false)
      .describe("Refuses all requested lifetimes, also those of services."),
    minExpiresIn: z.number().min(0).default(1).describe("Minimum lifetime, in days."),
    maxExpiresIn: z
      .number()
      .min(0)
      .max(36_500)
      .optional()
      .describe(
        "Maximum lifetime, in days; for owners counted from the creation of the key. If not set, up to 365 days can be requested, and a key without a requested lifetime never expires.",
      ),
  }),
  rateLimit: section({
    enabled: z.boolean().default(true).describe("Enables rate limits of keys."),
    timeWindow: z
      .int()
      .min(1)
      .max(yearMilliseconds)
      .default(86_400_000)
      .describe("Milliseconds without a use after which the count of a key starts again."),
    maxRequests: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .default(10)
      .describe("Maximum uses in a window."),
  }),
  startingCharactersConfig: section({
    shouldStore: z
      .boolean()
      .default(true)
      .describe("Stores the first characters of a key, so that users can recognize it."),
    charactersLength: z.int().min(1).max(12).default(6).describe("Number of characters to store."),
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
      .describe("Permissions of keys that name none."),
  }),
  organizationKeys: section({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        "Organizations may own keys, which their members manage by the permissions of their roles.",
      ),
    configId: z
      .string()
      .min(1)
      .max(255)
      .default("organization")
      .describe("The `configId` of these keys for SDK 1.7. Users' keys have `default`."),
  }),
  unknownKeys: section({
    window: z.int().min(1).max(86_400).default(60).describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(1)
      .default(600)
      .describe(
        "Unknown keys that one service token may verify in a window, at each replica. Beyond that, only keys that were recently valid are looked up.",
      ),
  }),
  usageRetentionDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe("Days for which the daily counts of uses are kept."),
  schema: section({ apikey: section(namingOptions("key")) }),
});
