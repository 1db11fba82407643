import {
  migrateSchema,
  pendingMigrations,
  registerRedisGauge,
  type Service,
} from "@latchkey/service-kit";
import { buildApp, buildInternalApp } from "./app.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, schema } from "./deps.ts";
import { createEpochQuestion } from "./epochs/epoch-question.ts";
import { followEpochs } from "./epochs/follow-epochs.ts";

/** The only public entry point. */
export const gateway: Service = {
  name: "gateway",
  migrate: (settings) => migrateSchema(settings, schema, migrations),
  pendingMigrations: (settings) => pendingMigrations(settings, schema, migrations),
  createParts: async (settings, tracing) => {
    const deps = createDeps(settings, tracing);
    if (deps.redis) registerRedisGauge(deps.metrics, deps.redis);
    return {
      name: "gateway",
      logger: deps.logger,
      servers: [
        { app: buildApp(deps), port: deps.config.port, public: true },
        { app: buildInternalApp(deps), port: deps.config.internalPort },
      ],
      startBackground: () =>
        deps.config.answersFromCookie
          ? [followEpochs({ ...deps, ask: createEpochQuestion(deps) })]
          : [],
      close: async () => {
        await Promise.all(Object.values(deps.services).map((pool) => pool.close()));
        await deps.captcha?.close();
        deps.redis?.disconnect();
        await deps.db?.destroy();
      },
    };
  },
};
