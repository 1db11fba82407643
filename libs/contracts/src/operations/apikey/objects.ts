import { z } from "zod";
import { plainText, timestamp, userIdText } from "../../plain-text.ts";

const permissionMap = z.record(z.string(), z.array(z.string()));

/**
 * The second factor that the creator of a key had shown. `code` counts while the owner's second factor is on. `lasting` is that of a passkey
 * or of an admin. `exempt` means a sign-in method that needs none. Null if no session created the key, or an earlier version did.
 */
export const keySecondFactor = z.enum(["none", "exempt", "code", "lasting"]).nullable();
export type KeySecondFactor = z.output<typeof keySecondFactor>;

/** A key as its owner sees it. The key's text is returned only once, by the operation that creates it. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The first characters of the key. Null if they are not stored. */
  start: z.string().nullable(),
  prefix: z.string().nullable(),
  /** The owner. Null if an organization owns the key. */
  userId: z.string().nullable(),
  /** The organization that owns the key. Absent if a user does. */
  organizationId: z.string().optional(),
  /** Days after which `remaining` is reset to `refillAmount`. */
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
  /** Uses that are left. Null means unlimited. */
  remaining: z.number().nullable(),
  lastRequest: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Resources to actions. */
  permissions: permissionMap.nullable(),
  /** Any JSON object or array that the application stores with the key. */
  metadata: z.unknown(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

/** A key as the SDK 1.7 expects it. `referenceId` is its owner, and `configId` tells the keys of users and of organizations apart. */
export const ownApiKeySchema = apiKeySchema.extend({
  /** The key that replaces a retired one. */
  successorId: z.string().optional(),
  referenceId: z.string().optional(),
  configId: z.string().optional(),
});
export type OwnApiKey = z.output<typeof ownApiKeySchema>;

/** Keys as the SDK 1.7 lists them. */
export const apiKeyPage = z.object({
  apiKeys: z.array(ownApiKeySchema),
  /** The number of all keys of the owner, not only of this page. */
  total: z.number(),
  limit: z.number().optional(),
  offset: z.number().optional(),
});

/** A key with its text, which cannot be retrieved later. */
export const createdApiKey = apiKeySchema.extend({ key: z.string() });

/** The replaced key of a re-roll, and when it ends. */
export const retiredApiKey = z.object({ id: z.string(), expiresAt: timestamp });

const overlapSecondsMax = 2_592_000;

/** How long the replaced key of a re-roll stays valid: a day unless stated, 30 days at most. With 0 it ends immediately. */
export const overlapSeconds = z.int().min(0).max(overlapSecondsMax).default(86_400);

/** Uses of a key on one UTC day, by outcome. */
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

/** The outcome of a verification: the valid key after this use, or the reason for its refusal. */
export const apiKeyVerdict = z.object({
  valid: z.boolean(),
  error: z
    .object({
      message: z.string(),
      code: z.string(),
      /** With `RATE_LIMITED`: milliseconds until the key can be used again. */
      details: z.object({ tryAgainIn: z.number() }).optional(),
    })
    .nullable(),
  key: apiKeySchema.nullable(),
});
export type ApiKeyVerdict = z.output<typeof apiKeyVerdict>;

/** The permission that a key with permissions needs to stand for a session of its owner. */
export const keySessionPermission = { session: ["use"] } as const;

export const id = plainText(255);

const countMax = 2_147_483_647;
const windowMax = 31_536_000_000;
const metadataLengthMax = 16_384;
/** Several verifications share one SQL statement, so an oversized request would slow down all of them. */
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
 * Resources to actions, as a key carries them or a verification requests them. `z.record` drops a member named `__proto__`. A
 * verification would then check only the remaining permissions.
 */
export const permissions = z.preprocess((given, context) => {
  if (typeof given === "object" && given !== null && Object.hasOwn(given, "__proto__"))
    context.addIssue({ code: "custom", message: "must not name a resource `__proto__`" });
  return given;
}, resources) as unknown as typeof resources; // it accepts the same input

/** The handler checks its type, because a wrong type is answered with an error of its own. */
const metadata = z
  .unknown()
  .refine(
    (given) => given === undefined || JSON.stringify(given).length <= metadataLengthMax,
    `must not exceed ${metadataLengthMax} characters of JSON`,
  );

/** Seconds; null is unlimited. The options set the range, which has an error of its own. */
const expiresIn = z.number().min(1).nullable();
/** Far above the limits in the options, which have errors of their own. */
const wordLengthMax = 10_000;

const refillDaysMax = 36_500;

/** Members of a key that its owner may set. */
export const ownMembers = {
  name: plainText(wordLengthMax).optional(),
  expiresIn: expiresIn.optional(),
  metadata: metadata.optional(),
};

/** Members that only a service may set. An owner who tries is refused with a specific error. */
export const serverMembers = {
  refillAmount: z.int().min(1).max(countMax).optional(),
  refillInterval: z.int().min(1).max(refillDaysMax).optional(),
  rateLimitTimeWindow: z.int().min(1).max(windowMax).optional(),
  rateLimitMax: z.int().min(1).max(countMax).optional(),
  rateLimitEnabled: z.boolean().optional(),
};

export const createApiKeyBody = {
  organizationId: id.optional(),
  configId: id.optional(),
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

export const updateApiKeyBody = {
  keyId: id,
  ...ownMembers,
  ...serverMembers,
  enabled: z.boolean().optional(),
  userId: userIdText.nullable().optional(),
  remaining: z.int().min(1).max(countMax).optional(),
  permissions: permissions.nullable().optional(),
};

/** Changes by an admin. Null removes a limit; the refill is removed by two nulls. */
export const adminUpdateApiKeyBody = {
  ...ownMembers,
  ...serverMembers,
  refillAmount: serverMembers.refillAmount.nullable(),
  refillInterval: serverMembers.refillInterval.nullable(),
  remaining: z.int().min(0).max(countMax).nullable().optional(),
  permissions: permissions.nullable().optional(),
};

/** The requested days, both included. The default is the last 30. */
export const usageRange = {
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};
