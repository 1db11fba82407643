import { z } from "zod";
import { operation } from "../../operation.ts";
import { pageQuery } from "../pages.ts";
import {
  apiKeySchema,
  apiKeyUsage,
  createApiKeyBody,
  createdApiKey,
  id,
  updateApiKeyBody,
  usageRange,
} from "./objects.ts";

const ofOwner = {
  owner: "apikey",
  exposure: "public",
  feature: "apiKey",
  access: "session",
} as const;

/** What creating a key may answer, whoever asks. */
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

/** The same where the owner may be left out. */
export const createApiKeyErrors = ["INVALID_SESSION", ...newApiKeyErrors] as const;

/** What changing one may answer, whoever asks. */
export const updateApiKeyErrors = [
  "INVALID_SESSION",
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
] as const;

/** What users do with their own keys. */
export const ownApiKeyOperations = {
  createApiKey: operation({
    ...ofOwner,
    name: "createApiKey",
    method: "POST",
    path: "/api-key/create",
    summary: "Creates a key for the caller, and shows it this once.",
    signedOut: "INVALID_SESSION",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object(createApiKeyBody),
    reply: createdApiKey,
    errors: [...createApiKeyErrors, "SERVER_ONLY_PROPERTY"],
  }),
  getApiKey: operation({
    ...ofOwner,
    name: "getApiKey",
    method: "GET",
    path: "/api-key/get",
    summary: "Shows one of the caller's keys.",
    query: z.object({ id }),
    reply: apiKeySchema,
    errors: ["KEY_NOT_FOUND"],
    repeatable: true,
  }),
  listApiKeys: operation({
    ...ofOwner,
    name: "listApiKeys",
    method: "GET",
    path: "/api-key/list",
    summary: "Lists the caller's keys, the oldest first.",
    query: z.object({ limit: pageQuery.limit, offset: pageQuery.offset }),
    reply: z.array(apiKeySchema),
    errors: [],
    repeatable: true,
  }),
  updateApiKey: operation({
    ...ofOwner,
    name: "updateApiKey",
    method: "POST",
    path: "/api-key/update",
    summary: "Changes one of the caller's keys.",
    signedOut: "INVALID_SESSION",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object(updateApiKeyBody),
    reply: apiKeySchema,
    errors: [...updateApiKeyErrors, "USER_BANNED", "SERVER_ONLY_PROPERTY"],
  }),
  deleteApiKey: operation({
    ...ofOwner,
    name: "deleteApiKey",
    method: "POST",
    path: "/api-key/delete",
    summary: "Deletes one of the caller's keys.",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object({ keyId: id }),
    reply: z.object({ success: z.literal(true) }),
    errors: ["USER_BANNED", "KEY_NOT_FOUND"],
  }),
  readApiKeyUsage: operation({
    ...ofOwner,
    name: "readApiKeyUsage",
    method: "GET",
    path: "/api-key/usage",
    summary: "Counts the uses of one of the caller's keys, by day and by what came of them.",
    query: z.object({ id, ...usageRange }),
    reply: apiKeyUsage,
    errors: ["KEY_NOT_FOUND"],
    repeatable: true,
  }),
} as const;
