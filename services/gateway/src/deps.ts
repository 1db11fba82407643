import type { EffectiveOption } from "@latchkey/contracts";
import { createSecretRing, type SecretRing } from "@latchkey/crypto";
import {
  createLogger,
  createMetrics,
  createRedis,
  createRedisKeys,
  createServiceClient,
  createServicePool,
  type Logger,
  type Metrics,
  openDatabase,
  type RedisClient,
  type ServiceClient,
  type ServicePool,
  type Settings,
  type Tracing,
} from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { type Captcha, createCaptcha } from "./captcha/create-captcha.ts";
import { type GatewayConfig, readGatewayConfig } from "./config.ts";
import { type CountCopy, createCopyCounter } from "./cookies/count-copy.ts";
import { type CopyEncoder, createCopyEncoder } from "./cookies/encode-copy.ts";
import { createSessionCopies, type SessionCopies } from "./cookies/session-copies.ts";
import { type ApplyUrgentEvents, createUrgentApplier } from "./events/apply-urgent-events.ts";
import { createUserEpochs, type UserEpochs } from "./epochs/user-epochs.ts";
import { effectiveSettings } from "./installation/effective-settings.ts";
import { chooseLimiter } from "./limits/choose-limiter.ts";
import { createLimit, type Limit } from "./limits/create-limit.ts";
import { type ApiDocument, createDocument } from "./reference/create-document.ts";

/** The dependencies of the pipeline. */
export interface Deps {
  config: GatewayConfig;
  clock: () => number;
  ring: SecretRing;
  /** Undefined while the feature is off. */
  captcha: Captcha | undefined;
  limit: Limit;
  document: ApiDocument;
  /** The effective options, for display. */
  settings: () => EffectiveOption[];
  encodeCopy: CopyEncoder;
  sessionCopies: SessionCopies;
  countCopy: CountCopy;
  epochs: UserEpochs;
  /** Connections to each service. */
  services: Readonly<Record<"apikey" | "identity" | "mailer" | "organization", ServicePool>>;
  /** Clients for calls of the gateway itself. */
  identity: ServiceClient;
  apikey: ServiceClient;
  applyUrgentEvents: ApplyUrgentEvents;
  redis: RedisClient | undefined;
  db: Kysely<unknown> | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Undefined while traces are off. */
  tracing: Tracing | undefined;
}

/** The schema that the gateway owns. It holds only rate limits. */
export const schema = "gateway";

/** Builds the dependencies from validated settings. No other code in this service does. */
export const createDeps = (settings: Settings, tracing?: Tracing): Deps => {
  const { options } = settings;
  const config = readGatewayConfig(settings);
  const logger = createLogger({ service: "gateway", ...options.logger, tracing });
  const metrics = createMetrics("gateway");
  const clock = Date.now;
  const ring = createSecretRing(options.secret);
  const { enabled, storage } = config.rateLimit;
  const keyOf = createRedisKeys(options.advanced.redisKeyPrefix);
  const redis =
    enabled && storage === "secondary-storage" && options.redisUrl
      ? createRedis(options.redisUrl, logger)
      : undefined;
  const db =
    enabled && storage === "database"
      ? openDatabase(settings, { schema, logger, metrics, tracing })
      : undefined;
  const services = {
    identity: createServicePool(config.urls.identity),
    organization: createServicePool(config.urls.organization),
    apikey: createServicePool(config.urls.apikey),
    mailer: createServicePool(config.urls.mailer),
  };
  const clientOf = (to: ServicePool) =>
    createServiceClient({ to, from: "gateway", ring, clock, tracing });
  const apikey = clientOf(services.apikey);
  return {
    config,
    clock,
    ring,
    captcha: createCaptcha(config, { logger, metrics }),
    limit: createLimit(
      config.rateLimit,
      chooseLimiter({ storage, redis, keyOf, db, clock, logger }),
      metrics,
    ),
    document: createDocument(config),
    settings: () => effectiveSettings(settings, config),
    encodeCopy: createCopyEncoder({ config, ring, clock, logger }),
    sessionCopies: createSessionCopies({ ring, clock }),
    countCopy: createCopyCounter(config, metrics),
    epochs: createUserEpochs({ clock, cachedSeconds: config.session.cookieCache.maxAge }),
    services,
    identity: clientOf(services.identity),
    apikey,
    applyUrgentEvents: createUrgentApplier({
      logger,
      metrics,
      apikey,
      organization: clientOf(services.organization),
    }),
    redis,
    db,
    logger,
    metrics,
    tracing,
  };
};
