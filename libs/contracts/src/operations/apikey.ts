import { apiKeyAdminOperations } from "./apikey/admin.ts";
import { internalApiKeyOperations } from "./apikey/internal.ts";
import { ownApiKeyOperations } from "./apikey/own.ts";

/** Every operation that the apikey service owns. */
export const apiKeyOperations = {
  ...ownApiKeyOperations,
  ...apiKeyAdminOperations,
  ...internalApiKeyOperations,
} as const;
