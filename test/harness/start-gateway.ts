import type { LatchkeyConfig } from "@latchkey/contracts";
import { gateway } from "@latchkey/gateway";
import { readSettings } from "@latchkey/service-kit/config";
import { type RunningService, runService } from "@latchkey/service-kit/run";
import { anyPort } from "./any-port.ts";
import type { System } from "./start-system.ts";
import { testSecret } from "./stores.ts";

export interface GatewayOptions {
  config?: LatchkeyConfig;
  environment?: Record<string, string>;
}

/** Starts a gateway in front of any identity service. Its `url` has no base path. */
export const startGatewayFor = (
  identityUrl: string,
  { config, environment }: GatewayOptions,
): Promise<RunningService> =>
  runService(
    gateway,
    readSettings(
      {
        secret: [testSecret],
        databaseUrl: "postgres://127.0.0.1/unused",
        logger: { level: "silent" },
        ...config,
      },
      {
        ...anyPort,
        HOST: "127.0.0.1",
        DRAIN_SECONDS: "0",
        IDENTITY_URL: identityUrl,
        ...environment,
      },
    ),
  );

/** Starts another gateway with its own options for the services of a running system. */
export const startGateway = (
  system: System,
  { config, environment }: GatewayOptions,
): Promise<RunningService> =>
  startGatewayFor(system.urlOf("identity"), {
    config: {
      databaseUrl: system.databaseUrl,
      mail: { smtpUrl: system.smtp.url },
      ...config,
    },
    ...(environment && { environment }),
  });

/** Calls `work` with the origin of another gateway and stops it afterwards. */
export const withGateway = async (
  system: System,
  options: GatewayOptions,
  work: (origin: string) => Promise<void>,
): Promise<void> => {
  const running = await startGateway(system, options);
  try {
    await work(running.url);
  } finally {
    await running.stop();
  }
};
