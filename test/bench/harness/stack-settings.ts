import { readSettings, type Settings } from "@latchkey/service-kit";

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

const anyPort = {
  PORT: "0",
  IDENTITY_PORT: "0",
  ORGANIZATION_PORT: "0",
  APIKEY_PORT: "0",
  MAILER_PORT: "0",
  GATEWAY_INTERNAL_PORT: "0",
};

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
