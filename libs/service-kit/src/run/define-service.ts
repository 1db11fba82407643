import type { ServiceName } from "@latchkey/contracts";
import type { Settings } from "../config/settings.ts";
import { settingsOf } from "../config/settings-of.ts";
import type { KitTables } from "../database/kit-tables.ts";
import { isMigrated } from "../database/migrate.ts";
import { migrateSchema, pendingMigrations } from "../database/migrate-schema.ts";
import { createServer } from "../http/create-server.ts";
import { mountHealth } from "./health.ts";
import type { Tracing } from "../observe/tracing.ts";
import { migrateWithViews } from "../custom-names/migrate-with-views.ts";
import { listViews } from "../custom-names/queries.ts";
import { createConnections, type OpenConnections, openStores } from "./connections.ts";
import { type Core, createCore } from "./core.ts";
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
}

/** The part of a service that is opened before its dependencies. */
interface Base<Config> {
  core: Core<Config>;
  connections: OpenConnections;
}

const openStoring = async <Name extends ServiceName, Config, Tables extends KitTables, Deps>(
  definition: StoringDefinition<Name, Config, Tables, Deps>,
  settings: Settings,
  { core, connections }: Base<Config>,
): Promise<Opened<Deps>> => {
  const { name } = definition;
  const { relay, stores } = await openStores<Tables>(name, settings, { core, connections });
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
  };
};

const openEntry = <Name extends ServiceName, Config, Deps>(
  definition: EntryDefinition<Name, Config, Deps>,
  settings: Settings,
  { core, connections }: Base<Config>,
): Opened<Deps> => {
  const { name, checks, background } = definition;
  const { ports, gatewayInternalPort } = settings.network;
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
  const { migrations, views, beforeViews, isReadyForViews, openMovers } = schema;
  const isStoring = "operations" in definition;
  /** Calls `use` with the opened service. Closes its connections if that fails, or if the service cannot be opened. */
  const open = async <T>(
    settings: Settings,
    tracing: Tracing | undefined,
    use: (opened: Opened<Deps>, close: () => Promise<void>) => T | Promise<T>,
  ): Promise<T> => {
    const core = createCore(definition, settings, tracing);
    const connections = createConnections(name, settings, core);
    const base = { core, connections };
    try {
      const opened = isStoring
        ? await openStoring(definition, settings, base)
        : openEntry(definition, settings, base);
      return await use(opened, connections.close);
    } catch (error) {
      await connections.close();
      throw error;
    }
  };
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
    isCurrent: async (settings, db) => {
      if (!(await isMigrated({ db, schema: name, migrations }))) return false;
      if (!views) return true;
      const config = options(settings);
      if (views(config).length > 0 || (await listViews(db, name)).length > 0) return false;
      return isReadyForViews?.(db, config) ?? true;
    },
    pendingMigrations: (settings) => pendingMigrations(settings, name, migrations),
    ...(isStoring && { portable: { migrations, ...(openMovers && { openMovers }) } }),
    createParts: (settings, tracing) =>
      open(settings, tracing, ({ createParts }, close) => ({ ...createParts(), close })),
    withDeps: (settings, work) =>
      open(settingsOf(settings, name), undefined, async ({ deps }, close) => {
        const result = await work(deps);
        await close();
        return result;
      }),
  };
};
