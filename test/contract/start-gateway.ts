import type { LatchkeyConfig } from "@latchkey/contracts";
import { gateway } from "@latchkey/gateway";
import { readSettings, type RunningService, runService } from "@latchkey/service-kit";
import { type Stack, testSecret } from "../stack.ts";

export interface GatewayOptions {
  config?: LatchkeyConfig;
  environment?: Record<string, string>;
}

/** One more front door, with options of its own, to the services of a stack that runs. Its `url` has no base path. */
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

/** Runs `work` against a front door that ends with it. */
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
