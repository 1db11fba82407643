import type { Settings } from "@latchkey/service-kit";

/** Returns the settings that the organization service uses. */
export const readOrganizationConfig = ({ options, network }: Settings) => ({
  organization: options.organization,
  admin: options.admin,
  baseURL: options.baseURL,
  appURL: options.appURL,
  additionalFields: {
    user: options.user.additionalFields,
    session: options.session.additionalFields,
  },
  freshAge: options.session.freshAge,
  serviceTokens: options.serviceTokens,
  hooks: options.hooks,
  database: options.advanced.database,
  identityUrls: network.urls.identity,
  port: network.ports.organization,
});

export type OrganizationConfig = ReturnType<typeof readOrganizationConfig>;
