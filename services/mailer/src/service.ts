import { defineService } from "@latchkey/service-kit";
import { readMailerConfig } from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { sweepDeliveries } from "./deliveries/sweep-deliveries.ts";
import { sweepDepartedUsers } from "./departed-users/sweep-departed-users.ts";
import { createDeps } from "./deps.ts";
import { operations } from "./operations.ts";

/** Turns events into mails. It is ready without the SMTP server, because mails wait for that. */
export const mailer = defineService({
  name: "mailer",
  options: readMailerConfig,
  schema: { migrations },
  createDeps,
  operations,
  consumers,
  sweeps: [sweepDeliveries, sweepDepartedUsers],
});
