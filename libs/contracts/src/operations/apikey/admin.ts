import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText, userIdText } from "../../plain-text.ts";
import { userSummary } from "../organization/objects.ts";
import { pageQuery, pageTotals } from "../pages.ts";
import { apiKeySchema, apiKeyUsage, id, usageRange } from "./objects.ts";

const ofAdmin = {
  owner: "apikey",
  exposure: "public",
  feature: "apiKeyAdmin",
  access: "permission",
} as const;

const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "apiKey", action, refusal }) as const;

const mayUpdate = may("update", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_API_KEYS");
const params = z.object({ id });

/** A key as admins see it. */
const adminApiKey = apiKeySchema.extend({
  /** An admin has disabled it; its owner cannot enable it again. */
  disabledByAdmin: z.boolean(),
});

/** What admins of the installation do with the keys of everybody. */
export const apiKeyAdminOperations = {
  adminListApiKeys: operation({
    ...ofAdmin,
    name: "adminListApiKeys",
    method: "GET",
    path: "/admin/api-keys",
    summary: "Searches and pages through the keys of all users.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_API_KEYS"),
    query: z.object({
      ...pageQuery,
      /** The owner. */
      userId: userIdText.optional(),
      prefix: plainText(255).optional(),
      /** The first characters of keys. */
      start: plainText(255).optional(),
      state: z.enum(["enabled", "disabled", "expired"]).optional(),
    }),
    reply: z.object({
      apiKeys: z.array(
        adminApiKey.extend({
          /** Null where the user has ceased to exist. */
          user: userSummary.nullable(),
        }),
      ),
      ...pageTotals,
    }),
    errors: [],
    repeatable: true,
  }),
  adminReadApiKeyUsage: operation({
    ...ofAdmin,
    name: "adminReadApiKeyUsage",
    method: "GET",
    path: "/admin/api-keys/{id}/usage",
    summary: "Counts the uses of a key, by day and by what came of them.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_API_KEYS"),
    params,
    query: z.object(usageRange),
    reply: apiKeyUsage,
    errors: ["KEY_NOT_FOUND"],
    repeatable: true,
  }),
  adminDisableApiKey: operation({
    ...ofAdmin,
    name: "adminDisableApiKey",
    method: "POST",
    path: "/admin/api-keys/{id}/disable",
    summary: "Disables a key, which its owner cannot enable again.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    reply: adminApiKey,
    errors: ["KEY_NOT_FOUND"],
  }),
  adminEnableApiKey: operation({
    ...ofAdmin,
    name: "adminEnableApiKey",
    method: "POST",
    path: "/admin/api-keys/{id}/enable",
    summary: "Takes back that an admin has disabled a key.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    reply: adminApiKey,
    errors: ["KEY_NOT_FOUND"],
  }),
  adminDeleteApiKey: operation({
    ...ofAdmin,
    name: "adminDeleteApiKey",
    method: "POST",
    path: "/admin/api-keys/{id}/delete",
    summary: "Deletes a key.",
    permission: may("delete", "YOU_ARE_NOT_ALLOWED_TO_DELETE_API_KEYS"),
    refusesApiKeys: true,
    params,
    reply: z.object({ success: z.literal(true) }),
    errors: ["KEY_NOT_FOUND"],
  }),
} as const;
