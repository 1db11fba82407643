import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { pageQuery } from "../pages.ts";
import {
  apiKeyPage,
  apiKeyUsage,
  createApiKeyBody,
  createdApiKey,
  id,
  overlapSeconds,
  ownApiKeySchema,
  retiredApiKey,
  updateApiKeyBody,
  usageRange,
} from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofOwner = {
  owner: "apikey",
  exposure: "public",
  rateClass: "general",
  feature: "apiKey",
  access: "session",
} as const;

/** Why a member may not act on the keys of an organization. */
const memberErrors = ["INSUFFICIENT_API_KEY_PERMISSIONS", "TWO_FACTOR_REQUIRED"] as const;

/** Errors of creating a key, for every kind of caller. */
export const newApiKeyErrors = [
  "METADATA_DISABLED",
  "INVALID_METADATA_TYPE",
  "REFILL_AMOUNT_ALONE",
  "REFILL_INTERVAL_ALONE",
  "KEY_DISABLED_EXPIRATION",
  "EXPIRES_IN_IS_TOO_SMALL",
  "EXPIRES_IN_IS_TOO_LARGE",
  "INVALID_PREFIX_LENGTH",
  "INVALID_NAME_LENGTH",
  "USER_BANNED",
] as const;

/** The same errors, for callers that may omit the owner. */
export const createApiKeyErrors = ["INVALID_SESSION", ...newApiKeyErrors] as const;

/** Errors of changing a key, for every kind of caller. */
export const changeApiKeyErrors = [
  "KEY_NOT_FOUND",
  "INVALID_NAME_LENGTH",
  "KEY_DISABLED_EXPIRATION",
  "EXPIRES_IN_IS_TOO_SMALL",
  "EXPIRES_IN_IS_TOO_LARGE",
  "METADATA_DISABLED",
  "INVALID_METADATA_TYPE",
  "REFILL_AMOUNT_ALONE",
  "REFILL_INTERVAL_ALONE",
  "NO_VALUES_TO_UPDATE",
  "KEY_RETIRED",
] as const;

/** Errors of re-rolling a key, for every kind of caller. */
export const rerollApiKeyErrors = ["KEY_NOT_FOUND", "USER_BANNED", "KEY_RETIRED"] as const;

/** The same errors, for callers that may omit the owner. */
export const updateApiKeyErrors = ["INVALID_SESSION", ...changeApiKeyErrors] as const;

/** Operations of users on their own keys. */
export const ownApiKeyOperations = operationGroup("API keys", {
  createApiKey: operation({
    ...ofOwner,
    name: "createApiKey",
    stepUp: stepUps.keyOfOrganization,
    method: "POST",
    path: "/api-key/create",
    summary:
      "Creates a key for the caller or an organization, and returns its text only this once.",
    signedOut: "INVALID_SESSION",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object(createApiKeyBody),
    reply: ownApiKeySchema.extend({ key: createdApiKey.shape.key }),
    errors: [
      ...createApiKeyErrors,
      "SERVER_ONLY_PROPERTY",
      "ORGANIZATION_KEYS_DISABLED",
      "ORGANIZATION_ID_REQUIRED",
      "USER_NOT_MEMBER_OF_ORGANIZATION",
      ...memberErrors,
    ],
  }),
  getApiKey: operation({
    ...ofOwner,
    name: "getApiKey",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/api-key/get",
    summary: "Shows one of the caller's keys.",
    query: z.object({ id }),
    reply: ownApiKeySchema,
    errors: ["KEY_NOT_FOUND", ...memberErrors],
    repeatable: true,
    sharesCalls: true,
  }),
  listApiKeys: operation({
    ...ofOwner,
    name: "listApiKeys",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/api-key/list",
    summary: "Lists the caller's keys, or those of an organization, oldest first.",
    query: z.object({
      limit: pageQuery.limit,
      offset: pageQuery.offset,
      sortBy: z.enum(["createdAt", "updatedAt", "name", "expiresAt", "lastRequest"]).optional(),
      sortDirection: pageQuery.sortDirection,
      configId: id.optional(),
      organizationId: id.optional(),
    }),
    /** A bare list for the SDK 1.2, a page for 1.7. */
    reply: z.union([z.array(ownApiKeySchema), apiKeyPage]),
    errors: ["ORGANIZATION_KEYS_DISABLED", "USER_NOT_MEMBER_OF_ORGANIZATION", ...memberErrors],
    repeatable: true,
    sharesCalls: true,
  }),
  updateApiKey: operation({
    ...ofOwner,
    name: "updateApiKey",
    stepUp: stepUps.keyOfOrganization,
    method: "POST",
    path: "/api-key/update",
    summary: "Changes one of the caller's keys.",
    signedOut: "INVALID_SESSION",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object(updateApiKeyBody),
    reply: ownApiKeySchema,
    errors: [...updateApiKeyErrors, "USER_BANNED", "SERVER_ONLY_PROPERTY", ...memberErrors],
  }),
  rerollApiKey: operation({
    ...ofOwner,
    name: "rerollApiKey",
    stepUp: stepUps.keyOfOrganization,
    method: "POST",
    path: "/api-key/reroll",
    summary:
      "Replaces one of the caller's keys by a new one, which is shown only this once; the old one stays valid for a while.",
    signedOut: "INVALID_SESSION",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object({ keyId: id, overlapSeconds }),
    reply: ownApiKeySchema.extend({ key: createdApiKey.shape.key, retiredKey: retiredApiKey }),
    errors: ["INVALID_SESSION", ...rerollApiKeyErrors, ...memberErrors],
  }),
  deleteApiKey: operation({
    ...ofOwner,
    name: "deleteApiKey",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/api-key/delete",
    summary: "Deletes one of the caller's keys.",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object({ keyId: id }),
    reply: z.object({ success: z.literal(true) }),
    errors: ["USER_BANNED", "KEY_NOT_FOUND", ...memberErrors],
  }),
  readApiKeyUsage: operation({
    ...ofOwner,
    name: "readApiKeyUsage",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/api-key/usage",
    summary: "Counts the uses of one of the caller's keys, by day and outcome.",
    query: z.object({ id, ...usageRange }),
    reply: apiKeyUsage,
    errors: ["KEY_NOT_FOUND", ...memberErrors],
    repeatable: true,
    sharesCalls: true,
  }),
});
