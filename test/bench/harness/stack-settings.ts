import { readSettings, type Settings } from "@latchkey/service-kit";
import { anyPort } from "../../any-port.ts";

/** Where a stack keeps its things. */
export interface StackInput {
  databaseUrl: string;
  /** Sessions live in Postgres without it. */
  redis?: { url: string; keyPrefix: string };
  /** The gateway answers from cookies. */
  cookieCache?: boolean;
}

/** Signs cookies on both sides of the wire. */
export const benchSecret = "a secret for benchmarks, and for nothing else";

/** What internal operations are asked with. */
export const benchToken = "a service token for benchmarks";

/** The defaults on free ports, without rate limits. */
export const stackSettings = ({ databaseUrl, redis, cookieCache = false }: StackInput): Settings =>
  readSettings(
    {
      secret: [benchSecret],
      databaseUrl,
      ...(redis ? { redisUrl: redis.url } : {}),
      serviceTokens: { bench: benchToken },
      rateLimit: { enabled: false },
      session: { cookieCache: { enabled: cookieCache } },
      logger: { level: "warn" },
      advanced: redis ? { redisKeyPrefix: redis.keyPrefix } : {},
    },
    anyPort,
  );
