import type { Caller, operations, ServiceName } from "@latchkey/contracts";
import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Settings } from "../config/settings.ts";
import type { KitTables } from "../database/kit-tables.ts";
import type { SchemaMigrations } from "../database/schema-migration.ts";
import type { EventHandlers } from "../events/consume-events.ts";
import type { FirstChecks, Handlers } from "../http/run-operation.ts";
import type { ResolvedSession, ResolveOptions } from "../http/require-session.ts";
import type { HealthCheck } from "./health.ts";
import type { Portable } from "../transfer/table-mover.ts";
import type { WantedView } from "../custom-names/view-rules.ts";
import type { Unbound } from "../events/bind-all.ts";
import type { Connections } from "./connections.ts";
import type { Core, StoringCore } from "./core.ts";
import type { Background } from "../background/every.ts";

type OperationsOf<Name extends ServiceName> = (typeof operations)[Name];

/** The handler of each operation of a service. A missing or surplus one does not compile. */
export type OperationHandlers<Name extends ServiceName, Deps> = Unbound<
  Handlers<OperationsOf<Name>>,
  Deps
>;

/** Checks on the raw body of operations that run before all others. */
export type OperationChecks<Name extends ServiceName, Deps> = Unbound<
  FirstChecks<OperationsOf<Name>>,
  Deps
>;

/** The consumer of each event that the catalogue assigns to a service. A consumer may run more than once per event. */
export type EventConsumers<Name extends ServiceName, Deps> = Unbound<EventHandlers<Name>, Deps>;

interface CommonDefinition<Name extends ServiceName, Config, Deps> {
  /** Also names its schema, its queue and its metrics. */
  name: Name;
  /** Selects the settings that the service uses. */
  options: (settings: Settings) => Config;
  schema: {
    migrations: SchemaMigrations;
    /** The views of its tables under names of the application's choice. */
    views?: (config: Config) => readonly WantedView[];
    /** Adds further option-defined parts to the tables. Runs after the migrations, and must be repeatable. */
    beforeViews?: (db: Kysely<any>, config: Config) => Promise<void>;
    /** Returns whether `beforeViews` has nothing to do. */
    isReadyForViews?: (db: Kysely<any>, config: Config) => Promise<boolean>;
    /** Opens the movers of tables whose rows the settings store elsewhere. */
    openMovers?: Portable["openMovers"];
  };
  /** Further dependencies without which the service is not ready. */
  checks?: (deps: Deps) => Readonly<Record<string, HealthCheck>>;
  /** Starts further background parts. */
  background?: (deps: Deps, settings: Settings) => readonly Background[];
}

/** A service that serves operations, stores rows, and publishes and consumes events. */
export interface StoringDefinition<
  Name extends ServiceName,
  Config,
  Tables extends KitTables,
  Deps,
> extends CommonDefinition<Name, Config, Deps> {
  /** The only place that constructs dependencies. */
  createDeps: (
    core: StoringCore<Config, Tables>,
    connections: Connections,
    settings: Settings,
  ) => Deps;
  operations: OperationHandlers<Name, Deps>;
  firstChecks?: OperationChecks<Name, Deps>;
  consumers: EventConsumers<Name, Deps>;
  /** Clean-ups that run in this order every ten minutes. */
  sweeps: readonly ((deps: Deps) => Promise<unknown>)[];
  /** Seals values of earlier secrets again that are not in the columns of `sealedValues`. Returns their number. */
  resealElsewhere?: (deps: Deps, signal: AbortSignal) => Promise<number>;
  /** Finds the caller's session. By default the gateway vouches for it. */
  resolveSession?: (
    deps: Deps,
    caller: Caller,
    options: ResolveOptions,
  ) => Promise<ResolvedSession | undefined>;
  /** Returns headers that report a call's effects to the gateway. */
  headersFor?: (deps: Deps, caller: Caller) => Record<string, string> | undefined;
}

/** The service that clients call. It has health and metrics on an internal port of its own. */
export interface EntryDefinition<Name extends ServiceName, Config, Deps> extends CommonDefinition<
  Name,
  Config,
  Deps
> {
  /** The only place that constructs dependencies. */
  createDeps: (core: Core<Config>, connections: Connections, settings: Settings) => Deps;
  createApp: (deps: Deps) => FastifyInstance;
}
