import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, userIdText } from "../../plain-text.ts";
import { organizationSummary } from "../organization/internal-api-key.ts";
import { userSummary } from "../organization/objects.ts";
import { oneOrMore, pageQuery, pageTotals } from "../pages.ts";
import { dailyCounts, dayRange } from "../statistics.ts";
import {
  adminUpdateApiKeyBody,
  apiKeySchema,
  apiKeyUsage,
  createApiKeyBody,
  createdApiKey,
  id,
  overlapSeconds,
  retiredApiKey,
  usageRange,
} from "./objects.ts";
import { changeApiKeyErrors, newApiKeyErrors, rerollApiKeyErrors } from "./own.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "apikey",
  exposure: "public",
  rateClass: "general",
  feature: "apiKeyAdmin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "apiKey", action, refusal }) as const;

const mayList = may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_API_KEYS");
const mayCreate = may("create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS");
const mayUpdate = may("update", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_API_KEYS");
const params = z.object({ id });

/** A key as admins see it. */
const adminApiKey = apiKeySchema.extend({
  /** Whether an admin has disabled it. Its owner cannot enable it again. */
  disabledByAdmin: z.boolean(),
  /** The key that replaces a retired one, which stays valid until it expires. Null for any other key. */
  successorId: z.string().nullable(),
});

/** A key as admins see it, with its owner. */
const ownedApiKey = adminApiKey.extend({
  /** Null if the user was deleted, and for a key of an organization. */
  user: userSummary.nullable(),
  /** Null if the organization was deleted, and for a key of a user. */
  organization: organizationSummary.nullable(),
});

/** Operations of installation admins on the keys of all users. */
export const apiKeyAdminOperations = operationGroup("Admin", {
  adminListApiKeys: operation({
    ...ofAdmin,
    name: "adminListApiKeys",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/api-keys",
    summary: "Searches and pages through the keys of all users.",
    permission: mayList,
    query: z.object({
      ...pageQuery,
      /** The owner. */
      userId: userIdText.optional(),
      /** The owner, if it is an organization. */
      organizationId: id.optional(),
      prefix: plainText(255).optional(),
      /** The first characters of keys, or the whole id of one. */
      start: plainText(255).optional(),
      state: z.enum(["enabled", "disabled", "expired"]).optional(),
      /** Only the keys with these ids. */
      ids: oneOrMore.optional(),
    }),
    reply: z.object({ apiKeys: z.array(ownedApiKey), ...pageTotals }),
    errors: [],
    repeatable: true,
  }),
  adminGetApiKey: operation({
    ...ofAdmin,
    name: "adminGetApiKey",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/api-keys/{id}",
    summary: "Shows a key with its owner.",
    permission: mayList,
    params,
    reply: ownedApiKey,
    errors: ["KEY_NOT_FOUND"],
    repeatable: true,
  }),
  adminCreateApiKey: operation({
    ...ofAdmin,
    name: "adminCreateApiKey",
    stepUp: stepUps.keyOfOther,
    method: "POST",
    path: "/admin/api-keys",
    summary:
      "Creates a key for a user or an organization, with limits and permissions, and shows it this once.",
    permission: mayCreate,
    refusesApiKeys: true,
    /** Either `userId` or `organizationId`. */
    body: z.object({ ...createApiKeyBody, userId: userIdText.optional() }),
    reply: createdApiKey,
    errors: [
      ...newApiKeyErrors,
      ["USER_NOT_FOUND", 400],
      "ORGANIZATION_NOT_FOUND",
      "ORGANIZATION_KEYS_DISABLED",
      "ORGANIZATION_ID_REQUIRED",
    ],
  }),
  adminReadApiKeyUsage: operation({
    ...ofAdmin,
    name: "adminReadApiKeyUsage",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/api-keys/{id}/usage",
    summary: "Counts the uses of a key, by day and outcome.",
    permission: mayList,
    params,
    query: z.object(usageRange),
    reply: apiKeyUsage,
    errors: ["KEY_NOT_FOUND"],
    repeatable: true,
  }),
  adminUpdateApiKey: operation({
    ...ofAdmin,
    name: "adminUpdateApiKey",
    stepUp: stepUps.keyOfOther,
    method: "POST",
    path: "/admin/api-keys/{id}/update",
    summary:
      "Changes the name, limits, permissions, expiry or metadata of a key. All but the name and the metadata require the permission to create keys, too.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    body: z.object(adminUpdateApiKeyBody),
    reply: adminApiKey,
    errors: [...changeApiKeyErrors, "YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS"],
  }),
  adminRerollApiKey: operation({
    ...ofAdmin,
    name: "adminRerollApiKey",
    stepUp: stepUps.keyOfOther,
    method: "POST",
    path: "/admin/api-keys/{id}/reroll",
    summary:
      "Replaces a key by a new one, which is shown only this once; the old one stays valid for a while. Requires the permission to update keys, too.",
    permission: mayCreate,
    refusesApiKeys: true,
    params,
    body: z.object({ overlapSeconds }),
    reply: createdApiKey.extend({ retiredKey: retiredApiKey }),
    errors: [...rerollApiKeyErrors, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_API_KEYS"],
  }),
  adminDisableApiKey: operation({
    ...ofAdmin,
    name: "adminDisableApiKey",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/api-keys/{id}/disable",
    summary: "Disables a key. Its owner cannot enable it again.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    reply: adminApiKey,
    errors: ["KEY_NOT_FOUND"],
  }),
  adminEnableApiKey: operation({
    ...ofAdmin,
    name: "adminEnableApiKey",
    stepUp: stepUps.keyOfOther,
    method: "POST",
    path: "/admin/api-keys/{id}/enable",
    summary: "Enables a key that an admin has disabled.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    reply: adminApiKey,
    errors: ["KEY_NOT_FOUND"],
  }),
  adminDeleteApiKey: operation({
    ...ofAdmin,
    name: "adminDeleteApiKey",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/api-keys/{id}/delete",
    summary: "Deletes a key.",
    permission: may("delete", "YOU_ARE_NOT_ALLOWED_TO_DELETE_API_KEYS"),
    refusesApiKeys: true,
    params,
    reply: z.object({ success: z.literal(true) }),
    errors: ["KEY_NOT_FOUND"],
  }),
  adminReadApiKeyStatistics: operation({
    ...ofAdmin,
    name: "adminReadApiKeyStatistics",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/statistics/api-keys",
    summary: "Counts the uses of all keys together, by day.",
    permission: {
      resource: "statistics",
      action: "read",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS",
    },
    query: z.object(dayRange),
    /** `refused` counts every use that was not valid. */
    reply: dailyCounts("valid", "refused"),
    errors: [],
    repeatable: true,
  }),
});
