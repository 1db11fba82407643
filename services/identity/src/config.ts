import type { Settings } from "@latchkey/service-kit";

/** What the identity service reads of the settings. */
export const readIdentityConfig = ({ options, network }: Settings) => ({
  emailAndPassword: options.emailAndPassword,
  emailVerification: options.emailVerification,
  session: options.session,
  user: options.user,
  additionalFields: {
    user: options.user.additionalFields,
    session: options.session.additionalFields,
  },
  account: options.account,
  verification: options.verification,
  socialProviders: options.socialProviders,
  onAPIError: options.onAPIError,
  outbound: options.advanced.outbound,
  username: options.username,
  admin: options.admin,
  organization: options.organization,
  jwt: options.jwt,
  baseURL: options.baseURL,
  serviceTokens: options.serviceTokens,
  hooks: options.hooks,
  databaseHooks: options.databaseHooks,
  database: options.advanced.database,
  port: network.ports.identity,
});

export type IdentityConfig = ReturnType<typeof readIdentityConfig>;
