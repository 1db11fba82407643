import type { Settings } from "@latchkey/service-kit";

/** What the identity service reads of the settings. */
export const readIdentityConfig = ({ options, network }: Settings) => ({
  emailAndPassword: options.emailAndPassword,
  emailVerification: options.emailVerification,
  session: options.session,
  serviceTokens: options.serviceTokens,
  hooks: options.hooks,
  databaseHooks: options.databaseHooks,
  generateId: options.advanced.database.generateId,
  port: network.ports.identity,
});

export type IdentityConfig = ReturnType<typeof readIdentityConfig>;
