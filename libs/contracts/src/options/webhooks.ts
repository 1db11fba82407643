import { z } from "zod";
import { seconds, section } from "./option.ts";

export const webhookOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Records events for applications, delivers them to webhooks and lists them at `/admin/events`. If off, events of that time are not recorded.",
    ),
  organizations: section({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        "Members of organizations manage webhooks of their organization, as their role permits. While off, nothing is sent to these webhooks and their events wait.",
      ),
    webhooksMax: z
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe("Maximum number of webhooks of one organization."),
  }),
  timeout: seconds
    .min(1)
    .max(60)
    .default(15)
    .describe("Seconds within which a receiver must answer."),
  concurrency: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe("Maximum number of simultaneous requests of one process to one webhook."),
  retryPeriod: seconds
    .min(60)
    .default(259_200)
    .describe("Seconds for which a delivery is retried. By default three days."),
  pauseAfter: seconds
    .min(60)
    .default(86_400)
    .describe(
      "A webhook that has failed for this many seconds without a success is paused, and its contact gets a mail. By default one day.",
    ),
  retentionDays: z
    .int()
    .min(4)
    .max(365)
    .default(30)
    .describe("Days for which events and deliveries are kept."),
});
