import type { LatchkeyConfig } from "@latchkey/contracts";
import { gateway } from "@latchkey/gateway";
import { readSettings, type RunningService, runService } from "@latchkey/service-kit";
import { type Stack, testSecret } from "../stack.ts";

export interface GatewayOptions {
  config?: LatchkeyConfig;
  environment?: Record<string, string>;
}

/** Starts another gateway with its own options for the services of a running stack. Its `url` has no base path. */
export const startGateway = (
  stack: Stack,
  { config = {}, environment = {} }: GatewayOptions,
): Promise<RunningService> => {
  const identityUrl = stack.running.services["identity"]?.url ?? "";
  return runService(
    gateway,
    readSettings(
      {
        secret: [testSecret],
        databaseUrl: stack.databaseUrl,
        mail: { smtpUrl: stack.smtp.url },
        logger: { level: "silent" },
        ...config,
      },
      {
        HOST: "127.0.0.1",
        PORT: "0",
        GATEWAY_INTERNAL_PORT: "0",
        DRAIN_SECONDS: "0",
        IDENTITY_URL: identityUrl,
        ...environment,
      },
    ),
  );
};

/** Runs `work` with a gateway and stops it afterwards. */
export const withGateway = async (
  stack: Stack,
  options: GatewayOptions,
  work: (origin: string) => Promise<void>,
): Promise<void> => {
  const running = await startGateway(stack, options);
  try {
    await work(running.url);
  } finally {
    await running.stop();
  }
};
