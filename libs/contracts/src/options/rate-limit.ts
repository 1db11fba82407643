import { z } from "zod";
import { functionOption, section } from "./option.ts";

/** The request, as a function that chooses a rule receives it. */
export interface RateLimitRequest {
  method: string;
  path: string;
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RateRule {
  /** Seconds. */
  window: number;
  max: number;
}

const rule = z.strictObject({
  window: z.number().positive().max(86_400),
  max: z.int().min(0),
});

export const rateLimitOptions = section({
  enabled: z.boolean().optional().describe("By default on in production and off otherwise."),
  window: z
    .number()
    .positive()
    .max(86_400)
    .default(10)
    .describe("Length of the general window, in seconds."),
  max: z
    .int()
    .min(0)
    .default(100)
    .describe("Maximum requests in a general window, by address and path."),
  customRules: z
    .record(
      z.string(),
      z.union([
        rule,
        z.literal(false),
        functionOption<
          (request: RateLimitRequest) => RateRule | false | Promise<RateRule | false>
        >(),
      ]),
    )
    .default({})
    .describe(
      "Rules by path or pattern (`*` within a segment, `**` across segments). The first match is used. False means no limit.",
    ),
  services: section({
    window: z
      .number()
      .positive()
      .max(86_400)
      .default(10)
      .describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(0)
      .default(10_000)
      .describe(
        "Maximum requests of a service in a window, by path. A request with one of `serviceTokens` in `x-service-token` counts for that service instead of its address, where the general rule would apply.",
      ),
  }),
  linkMails: section({
    window: z.int().min(1).max(86_400).default(600).describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe(
        "Maximum mails with a link (verification, reset, change of address, deletion) to one mailbox in a window.",
      ),
  }),
  signInMails: section({
    window: z.int().min(1).max(86_400).default(600).describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe(
        "Maximum mails for a sign-in (links, codes and second factors) to one mailbox in a window.",
      ),
  }),
  storage: z
    .enum(["memory", "secondary-storage", "database"])
    .optional()
    .describe(
      "By default `secondary-storage` if Redis is configured, otherwise `memory`, which counts in each process separately. (RATE_LIMIT_STORAGE)",
    ),
});
