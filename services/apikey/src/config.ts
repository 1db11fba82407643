import type { Settings } from "@latchkey/service-kit/config";

/** Returns the settings that the apikey service uses. */
export const readApiKeyConfig = ({ options }: Pick<Settings, "options">) => ({
  apiKey: options.apiKey,
  client: options.client,
  admin: options.admin,
  twoFactor: options.twoFactor,
  freshAgeSeconds: options.session.freshAge,
  recordsEvents: options.webhooks.enabled,
  organizationEnabled: options.organization.enabled,
  database: options.advanced.database,
});

export type ApiKeyConfig = ReturnType<typeof readApiKeyConfig>;
