import type { Settings } from "@latchkey/service-kit/config";
import { createRedisKeys } from "@latchkey/service-kit/database";
import { createServiceClient, type ServicePool } from "@latchkey/service-kit/http";
import type { Connections, Core } from "@latchkey/service-kit/run";
import { createCaptcha } from "./captcha/create-captcha.ts";
import type { GatewayConfig } from "./config.ts";
import { createSessionCacheCounter } from "./cookies/count-session-cache.ts";
import { createSessionCacheEncoder } from "./cookies/encode-session-cache.ts";
import { createSessionCacheReader } from "./cookies/read-session-cache.ts";
import { createUserRevisions } from "./user-revisions/user-revisions.ts";
import { createUrgentApplier } from "./events/apply-urgent-events.ts";
import { createHolderResolver } from "./forward/resolve-holder.ts";
import { createCallSharer, createForwarder } from "./forward/share-call.ts";
import { effectiveSettings } from "./installation/effective-settings.ts";
import { chooseLimiter } from "./limits/choose-limiter.ts";
import { createLimit } from "./limits/create-limit.ts";
import { createDocument } from "./reference/create-document.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: Core<GatewayConfig>,
  { openDatabase, openPool, openRedis, onClose }: Connections,
  settings: Settings,
) => {
  const { config, metrics } = core;
  const { enabled, storage } = config.rateLimit;
  const redis = enabled && storage === "secondary-storage" ? openRedis() : undefined;
  const db = enabled && storage === "database" ? openDatabase<unknown>() : undefined;
  const keyOf = createRedisKeys(config.advanced.redisKeyPrefix);
  const services = {
    identity: openPool("identity"),
    organization: openPool("organization"),
    apikey: openPool("apikey"),
    mailer: openPool("mailer"),
    webhooks: openPool("webhooks"),
    oauth: openPool("oauth"),
  };
  const clientOf = (to: ServicePool) => createServiceClient({ ...core, to, from: "gateway" });
  const [apikey, organization] = [clientOf(services.apikey), clientOf(services.organization)];
  const identity = clientOf(services.identity);
  const captcha = createCaptcha(config, core);
  onClose(() => captcha?.close());
  const limiter = chooseLimiter({ ...core, storage, redis, keyOf, db, ...settings.network });
  const revisions = createUserRevisions({
    ...core,
    cachedSeconds: config.session.cookieCache.maxAge,
  });
  const applyUrgentEvents = createUrgentApplier({ ...core, apikey, organization });
  const transport = { ...core, services, revisions, applyUrgentEvents };
  const shareCall = createCallSharer(transport);
  return {
    ...core,
    captcha,
    limit: createLimit(config, limiter, metrics),
    limiter,
    document: createDocument(config),
    /** The effective options, for display. */
    settings: () => effectiveSettings(settings),
    encodeSessionCache: createSessionCacheEncoder(core),
    sessionCacheReader: createSessionCacheReader(core),
    countSessionCache: createSessionCacheCounter(config, metrics),
    revisions,
    services,
    identity,
    resolveHolder: createHolderResolver({ identity, shareCall }),
    forward: createForwarder({ ...transport, shareCall }),
    apikey,
    applyUrgentEvents,
    redis,
    db,
  };
};

/** The dependencies of the pipeline. Each part names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;
