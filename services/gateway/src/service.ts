import { migrateSchema, type Service } from "@latchkey/service-kit";
import { buildApp, buildInternalApp } from "./app.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, schema } from "./deps.ts";

/** The only public door. */
export const gateway: Service = {
  name: "gateway",
  migrate: (settings) => migrateSchema(settings, schema, migrations),
  createParts: async (settings) => {
    const deps = createDeps(settings);
    return {
      name: "gateway",
      logger: deps.logger,
      servers: [
        { app: buildApp(deps), port: deps.config.port, public: true },
        { app: buildInternalApp(deps), port: deps.config.internalPort },
      ],
      startBackground: () => [],
      close: async () => {
        await Promise.all(Object.values(deps.services).map((pool) => pool.close()));
        deps.redis?.disconnect();
        await deps.db?.destroy();
      },
    };
  },
};
