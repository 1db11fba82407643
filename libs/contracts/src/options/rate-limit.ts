import { z } from "zod";
import { functionOption, section } from "./option.ts";

/** What a function that chooses a rule is told of the request. */
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
  enabled: z.boolean().optional().describe("By default on in production and off elsewhere."),
  window: z.number().positive().max(86_400).default(10).describe("General window, in seconds."),
  max: z.int().min(0).default(100).describe("Requests in a general window, by address and path."),
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
      "Rules by path, or by pattern (`*` within a segment, `**` across); the first match counts. False: no limit.",
    ),
  storage: z
    .enum(["memory", "secondary-storage", "database"])
    .optional()
    .describe(
      "By default `secondary-storage` when Redis is configured, else `memory`, which counts for one process alone. (RATE_LIMIT_STORAGE)",
    ),
});
