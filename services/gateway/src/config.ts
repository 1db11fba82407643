import type { Settings } from "@latchkey/service-kit";

/** What the gateway reads of the settings. */
export const readGatewayConfig = ({ options, network, production }: Settings) => ({
  production,
  appName: options.appName,
  secret: options.secret,
  baseURL: options.baseURL,
  basePath: options.basePath,
  trustedOrigins: options.trustedOrigins,
  trustedHosts: options.trustedHosts,
  trustedProxies: options.trustedProxies,
  disabledPaths: options.disabledPaths,
  bearer: options.bearer,
  rateLimit: {
    ...options.rateLimit,
    enabled: options.rateLimit.enabled ?? production,
    storage: options.rateLimit.storage ?? (options.redisUrl ? "secondary-storage" : "memory"),
  } as const,
  advanced: options.advanced,
  urls: network.urls,
  port: network.ports.gateway,
  internalPort: network.gatewayInternalPort,
});

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;
