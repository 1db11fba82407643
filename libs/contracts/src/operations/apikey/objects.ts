import { z } from "zod";
import { plainText, timestamp, userIdText } from "../../plain-text.ts";

const permissionMap = z.record(z.string(), z.array(z.string()));

/** A key as its owner sees it; the key itself is shown once, by the operation that creates it. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The first characters of the key; null where they are not kept. */
  start: z.string().nullable(),
  prefix: z.string().nullable(),
  userId: z.string(),
  /** Days after which `remaining` becomes `refillAmount` again. */
  refillInterval: z.number().nullable(),
  refillAmount: z.number().nullable(),
  lastRefillAt: timestamp.nullable(),
  enabled: z.boolean(),
  rateLimitEnabled: z.boolean(),
  /** In milliseconds. */
  rateLimitTimeWindow: z.number().nullable(),
  rateLimitMax: z.number().nullable(),
  /** Uses in the window. */
  requestCount: z.number(),
  /** Uses that are left; null is any number. */
  remaining: z.number().nullable(),
  lastRequest: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Resources to actions. */
  permissions: permissionMap.nullable(),
  /** Any JSON object or array that the application keeps with it. */
  metadata: z.unknown(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

/** A key with its text, which nobody can be shown again. */
export const createdApiKey = apiKeySchema.extend({ key: z.string() });

/** Uses of a key on one day of UTC, by what came of them. */
const usageDay = z.object({
  /** As `YYYY-MM-DD`. */
  day: z.string(),
  valid: z.number(),
  rateLimited: z.number(),
  /** No uses were left. */
  exhausted: z.number(),
  expired: z.number(),
  /** The key was disabled, or its owner banned. */
  disabled: z.number(),
  /** The key's permissions did not suffice. */
  forbidden: z.number(),
});

/** Days on which a key was used, in order. */
export const apiKeyUsage = z.object({ days: z.array(usageDay) });
export type ApiKeyUsage = z.output<typeof apiKeyUsage>;

/** What came of a verification: a good key as it is after the use, or why it is none. */
export const apiKeyVerdict = z.object({
  valid: z.boolean(),
  error: z
    .object({
      message: z.string(),
      code: z.string(),
      /** With `RATE_LIMITED`: milliseconds until the key may be used again. */
      details: z.object({ tryAgainIn: z.number() }).optional(),
    })
    .nullable(),
  key: apiKeySchema.nullable(),
});
export type ApiKeyVerdict = z.output<typeof apiKeyVerdict>;

/** What a key that has permissions must be permitted, to stand for a session of its owner. */
export const keySessionPermission = { session: ["use"] } as const;

// What the operations of keys take.

/** The id of a key. */
export const id = plainText(255);

const countMax = 2_147_483_647;
const windowMax = 31_536_000_000;
const metadataLengthMax = 16_384;
/** Questions of many share a statement, so that a long one is everybody's. */
const permissionsLengthMax = 16_384;
const resourcesMax = 100;

const resources = z
  .record(plainText(128).min(1), z.array(plainText(128).min(1)).max(resourcesMax))
  .refine(
    (given) => Object.keys(given).length <= resourcesMax,
    `must not name more than ${resourcesMax} resources`,
  )
  .refine(
    (given) => JSON.stringify(given).length <= permissionsLengthMax,
    `must not exceed ${permissionsLengthMax} characters of JSON`,
  );

/**
 * Resources to actions, as a key carries them or a verification asks for them. A record would leave out a member of this name, and
 * what is left would then be all that was asked for.
 */
export const permissions = z.preprocess((given, context) => {
  if (typeof given === "object" && given !== null && Object.hasOwn(given, "__proto__"))
    context.addIssue({ code: "custom", message: "must not name a resource `__proto__`" });
  return given;
}, resources) as unknown as typeof resources; // it takes what they take

/** Its type is checked later, because a refusal of its own answers another one. */
const metadata = z
  .unknown()
  .refine(
    (given) => given === undefined || JSON.stringify(given).length <= metadataLengthMax,
    `must not exceed ${metadataLengthMax} characters of JSON`,
  );

/** Seconds; null is for ever. How many they may be is said by the options, with an error of its own. */
const expiresIn = z.number().min(1).nullable();
/** Far more than the options allow, whose errors are others. */
const wordLengthMax = 10_000;

const refillDaysMax = 36_500;

/** What an owner may say of a key. */
export const ownMembers = {
  name: plainText(wordLengthMax).optional(),
  expiresIn: expiresIn.optional(),
  metadata: metadata.optional(),
};

/** What only a service may say of a key; an owner who tries is refused for it. */
export const serverMembers = {
  refillAmount: z.int().min(1).max(countMax).optional(),
  /** Days. */
  refillInterval: z.int().min(1).max(refillDaysMax).optional(),
  rateLimitTimeWindow: z.int().min(1).max(windowMax).optional(),
  rateLimitMax: z.int().min(1).max(countMax).optional(),
  rateLimitEnabled: z.boolean().optional(),
};

/** What a key is made of. */
export const createApiKeyBody = {
  ...ownMembers,
  ...serverMembers,
  prefix: z
    .string()
    .regex(/^[a-zA-Z0-9_-]+$/)
    .max(wordLengthMax)
    .optional(),
  userId: userIdText.nullable().optional(),
  remaining: z.int().min(0).max(countMax).nullable().optional(),
  permissions: permissions.optional(),
};

/** What of a key changes. */
export const updateApiKeyBody = {
  keyId: id,
  ...ownMembers,
  ...serverMembers,
  enabled: z.boolean().optional(),
  userId: userIdText.nullable().optional(),
  remaining: z.int().min(1).max(countMax).optional(),
  permissions: permissions.nullable().optional(),
};

/** The days that are asked about, both included; the last 30 where nothing is said. */
export const usageRange = {
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};
