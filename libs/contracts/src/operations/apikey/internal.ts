import { z } from "zod";
import { eventBody } from "../../events.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import {
  apiKeySchema,
  apiKeyVerdict,
  createApiKeyBody,
  createdApiKey,
  id,
  keySecondFactor,
  permissions,
  updateApiKeyBody,
} from "./objects.ts";
import { createApiKeyErrors, updateApiKeyErrors } from "./own.ts";

const ofServices = {
  owner: "apikey",
  exposure: "internal",
  rateClass: "none",
  method: "POST",
  access: "anyone",
} as const;

/** Operations on keys for services. */
export const internalApiKeyOperations = {
  verifyApiKey: operation({
    ...ofServices,
    name: "verifyApiKey",
    stepUp: stepUps.services,
    path: "/api-key/verify",
    summary: "Verifies a key for the requested permissions, and counts one use if it is valid.",
    body: z.object({ key: z.string().max(4_096), permissions: permissions.optional() }),
    reply: apiKeyVerdict,
    errors: ["TOO_MANY_REQUESTS"],
  }),
  createApiKeyFor: operation({
    ...ofServices,
    name: "createApiKeyFor",
    stepUp: stepUps.services,
    path: "/api-key/create",
    summary: "Creates a key for a user or an organization, with limits and permissions.",
    body: z.object(createApiKeyBody),
    reply: createdApiKey,
    errors: [
      ...createApiKeyErrors,
      ["USER_NOT_FOUND", 400],
      "ORGANIZATION_NOT_FOUND",
      "ORGANIZATION_KEYS_DISABLED",
      "ORGANIZATION_ID_REQUIRED",
    ],
  }),
  updateApiKeyFor: operation({
    ...ofServices,
    name: "updateApiKeyFor",
    stepUp: stepUps.services,
    path: "/api-key/update",
    summary: "Changes a key of a user or an organization, limits and permissions included.",
    /** `userId` or `organizationId` names the owner. */
    body: z.object({ ...updateApiKeyBody, organizationId: id.optional() }),
    reply: apiKeySchema,
    errors: updateApiKeyErrors,
  }),
  deleteExpiredApiKeys: operation({
    ...ofServices,
    name: "deleteExpiredApiKeys",
    stepUp: stepUps.services,
    path: "/api-key/delete-all-expired-api-keys",
    summary: "Deletes all expired keys immediately.",
    reply: z.object({ success: z.boolean(), error: z.null() }),
    errors: [],
    repeatable: true,
  }),
  applyApiKeyEvent: operation({
    ...ofServices,
    name: "applyApiKeyEvent",
    stepUp: stepUps.services,
    path: "/api-key/apply-event",
    summary:
      "Applies an event immediately. The bus delivers it as well; only the gateway may call this.",
    body: eventBody,
    reply: z.object({ applied: z.literal(true) }),
    errors: ["FORBIDDEN"],
    repeatable: true,
  }),
  openKeySession: operation({
    ...ofServices,
    name: "openKeySession",
    stepUp: stepUps.services,
    path: "/api-key/open-session",
    summary:
      "Verifies a key that stands for a session of its owner, counts one use and returns the owner.",
    body: z.object({ key: z.string(), method: z.string(), path: z.string() }),
    reply: z.object({
      id: z.string(),
      userId: z.string(),
      expiresAt: z.string().nullable(),
      /** The second factor that the creator of the key had shown. Absent in replies of earlier versions. */
      secondFactor: keySecondFactor.optional(),
    }),
    errors: [
      ["INVALID_API_KEY", 403],
      "INVALID_API_KEY",
      "KEY_DISABLED",
      "KEY_EXPIRED",
      "USAGE_EXCEEDED",
      "RATE_LIMITED",
      "USER_BANNED",
      "INVALID_REFERENCE_ID_FROM_API_KEY",
      "FORBIDDEN",
      "INTERNAL_SERVER_ERROR",
    ],
  }),
} as const;
