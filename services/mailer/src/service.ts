import { defineService } from "@latchkey/service-kit/run";
import { readMailerConfig } from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { startChannel } from "./deliveries/attempt-delivery.ts";
import { sweepDeliveries } from "./deliveries/deliver-mail.ts";
import { sweepDepartedUsers } from "./departed-users/forget-user.ts";
import { createDeps } from "./deps.ts";
import { operations } from "./operations.ts";

/** Turns events into mails and text messages. It is ready without the SMTP server, because mails wait for that. */
export const mailer = defineService({
  name: "mailer",
  options: readMailerConfig,
  schema: { migrations },
  createDeps,
  operations,
  consumers,
  sweeps: [sweepDeliveries, sweepDepartedUsers],
  background: (deps) => [
    startChannel(deps, "mail"),
    ...(deps.config.phoneNumber.enabled ? [startChannel(deps, "text")] : []),
  ],
});
