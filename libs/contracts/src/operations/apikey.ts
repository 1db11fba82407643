import { apiKeyAdminOperations } from "./apikey/admin.ts";
import { apiKeyAuditOperations } from "./apikey/admin-audit.ts";
import { internalApiKeyOperations } from "./apikey/internal.ts";
import { ownApiKeyOperations } from "./apikey/own.ts";

/** Every operation that the apikey service owns. */
export const apiKeyOperations = {
  ...ownApiKeyOperations,
  ...apiKeyAdminOperations,
  ...apiKeyAuditOperations,
  ...internalApiKeyOperations,
} as const;
