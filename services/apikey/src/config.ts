import type { Settings } from "@latchkey/service-kit";

/** Returns the settings that the apikey service uses. */
export const readApiKeyConfig = ({ options, network }: Settings) => ({
  apiKey: options.apiKey,
  admin: options.admin,
  additionalFields: {
    user: options.user.additionalFields,
    session: options.session.additionalFields,
  },
  freshAge: options.session.freshAge,
  serviceTokens: options.serviceTokens,
  hooks: options.hooks,
  database: options.advanced.database,
  identityUrls: network.urls.identity,
  port: network.ports.apikey,
});

export type ApiKeyConfig = ReturnType<typeof readApiKeyConfig>;
