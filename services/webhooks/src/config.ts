import type { Settings } from "@latchkey/service-kit/config";

/** Receivers on the own machine, which are allowed during development. */
const developmentHosts = ["localhost", "127.0.0.1", "::1"];

/** Returns the settings of the webhooks service. */
export const readWebhooksConfig = ({ options, production }: Settings) => ({
  admin: options.admin,
  webhooks: options.webhooks,
  /** Whether members of organizations may have webhooks. */
  membersHaveWebhooks: options.webhooks.organizations.enabled && options.organization.enabled,
  privateHosts: [
    ...options.advanced.outbound.privateHosts,
    ...(production ? [] : developmentHosts),
  ],
  /** The private hosts that webhooks of organizations reach. */
  organizationHosts: production ? [] : developmentHosts,
});

export type WebhooksConfig = ReturnType<typeof readWebhooksConfig>;
