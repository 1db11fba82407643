import type { Settings } from "@latchkey/service-kit";

/** Returns the settings that the apikey service uses. */
export const readApiKeyConfig = ({ options }: Pick<Settings, "options">) => ({
  apiKey: options.apiKey,
  admin: options.admin,
  recordsEvents: options.webhooks.enabled,
  organizationEnabled: options.organization.enabled,
  database: options.advanced.database,
});

export type ApiKeyConfig = ReturnType<typeof readApiKeyConfig>;
