import type { ServiceName } from "@latchkey/contracts";
import type { Settings } from "../config/settings.ts";
import { settingsOf } from "../config/settings-of.ts";
import type { KitTables } from "../database/kit-tables.ts";
import { migrateSchema, pendingMigrations } from "../database/migrate-schema.ts";
import { createServer } from "../http/create-server.ts";
import { mountHealth } from "../observe/health.ts";
import type { Tracing } from "../observe/tracing.ts";
import { migrateWithViews } from "../custom-names/migrate-with-views.ts";
import { createConnections, openStores } from "./connections.ts";
import { createCore } from "./core.ts";
import type { Service, ServiceParts } from "./service.ts";
import type { EntryDefinition, StoringDefinition } from "./service-definition.ts";
import { createOperationsApp, startStoringBackground } from "./storing-parts.ts";

/** A service with the access that commands need. */
export interface DefinedService<Deps> extends Service {
  /** Runs `work` with the service's own dependencies, beside the running service or without it, and closes them. */
  withDeps<T>(settings: Settings, work: (deps: Deps) => Promise<T>): Promise<T>;
}

interface Opened<Deps> {
  deps: Deps;
  createParts: () => Omit<ServiceParts, "close">;
  close: () => Promise<void>;
}

const openStoring = <Name extends ServiceName, Config, Tables extends KitTables, Deps>(
  definition: StoringDefinition<Name, Config, Tables, Deps>,
  settings: Settings,
  tracing: Tracing | undefined,
): Opened<Deps> => {
  const { name } = definition;
  const core = createCore(definition, settings, tracing);
  const connections = createConnections(name, settings, core);
  const { relay, stores } = openStores<Tables>(name, settings, { core, connections });
  const storing = { ...core, ...stores };
  const deps = definition.createDeps(storing, connections, settings);
  const parts = { core: storing, deps, settings, relay };
  return {
    deps,
    createParts: () => ({
      servers: [
        { app: createOperationsApp(definition, parts), port: settings.network.ports[name] },
      ],
      startBackground: () => [startStoringBackground(definition, parts)],
    }),
    close: connections.close,
  };
};

const openEntry = <Name extends ServiceName, Config, Deps>(
  definition: EntryDefinition<Name, Config, Deps>,
  settings: Settings,
  tracing: Tracing | undefined,
): Opened<Deps> => {
  const { name, checks, background } = definition;
  const { ports, gatewayInternalPort } = settings.network;
  const core = createCore(definition, settings, tracing);
  const connections = createConnections(name, settings, core);
  const deps = definition.createDeps(core, connections, settings);
  const createInternalApp = () => {
    const app = createServer(core.logger);
    mountHealth(app, checks?.(deps) ?? {}, core.metrics);
    return app;
  };
  return {
    deps,
    createParts: () => ({
      servers: [
        { app: definition.createApp(deps), port: ports[name], public: true },
        { app: createInternalApp(), port: gatewayInternalPort },
      ],
      startBackground: () => background?.(deps, settings) ?? [],
    }),
    close: connections.close,
  };
};

/**
 * Assembles a service: its connections, servers with health and metrics, background parts, migrations and the dependencies of
 * commands.
 */
export const defineService = <Name extends ServiceName, Config, Tables extends KitTables, Deps>(
  definition: StoringDefinition<Name, Config, Tables, Deps> | EntryDefinition<Name, Config, Deps>,
): DefinedService<Deps> => {
  const { name, options, schema } = definition;
  const { migrations, views, beforeViews, openMovers } = schema;
  const isStoring = "operations" in definition;
  const open = (settings: Settings, tracing?: Tracing) =>
    isStoring
      ? openStoring(definition, settings, tracing)
      : openEntry(definition, settings, tracing);
  return {
    name,
    migrate: (settings) => {
      if (!views) return migrateSchema(settings, name, migrations);
      const config = options(settings);
      return migrateWithViews(settings, {
        schema: name,
        migrations,
        views: views(config),
        beforeViews: async (db) => beforeViews?.(db, config),
      });
    },
    pendingMigrations: (settings) => pendingMigrations(settings, name, migrations),
    ...(isStoring && { portable: { migrations, ...(openMovers && { openMovers }) } }),
    createParts: async (settings, tracing) => {
      const { createParts, close } = open(settings, tracing);
      return { ...createParts(), close };
    },
    withDeps: async (settings, work) => {
      const { deps, close } = open(settingsOf(settings, name));
      try {
        return await work(deps);
      } finally {
        await close();
      }
    },
  };
};
