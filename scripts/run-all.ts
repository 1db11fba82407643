import { apikey } from "@latchkey/apikey";
import { gateway } from "@latchkey/gateway";
import { identity } from "@latchkey/identity";
import { mailer } from "@latchkey/mailer";
import { organization } from "@latchkey/organization";
import { type ServiceName, serviceNames } from "@latchkey/contracts";
import {
  type CarriedSchema,
  type GrantedRole,
  grantRoles,
  migrateBus,
  pendingBusMigrations,
  type RunningService,
  runService,
  schemasOf,
  type Service,
  type Settings,
  settingsOf,
  withDeadline,
} from "@latchkey/service-kit";

const stopMilliseconds = 10_000;
const anyPorts = { gateway: 0, identity: 0, organization: 0, apikey: 0, mailer: 0 };

const services: Readonly<Record<ServiceName, Service>> = {
  mailer,
  identity,
  organization,
  apikey,
  gateway,
};

/** Some services, each after those that it calls. */
const servicesOf = (names: readonly ServiceName[]): readonly Service[] =>
  serviceNames.filter((name) => names.includes(name)).map((name) => services[name]);

/** The outcome of migrations. */
export interface Migrated {
  /** The names of the applied migrations, by service. */
  applied: Record<string, string[]>;
  roles: readonly GrantedRole[];
}

/**
 * Migrates the bus and the schemas of services, then updates the privileges of the services' own roles. Connects as the owner, by
 * `databaseUrl` and `directDatabaseUrl`.
 */
export const migrateAll = async (
  settings: Settings,
  names: readonly ServiceName[] = serviceNames,
): Promise<Migrated> => {
  if (names.some((name) => schemasOf(settings, name).includes("bus"))) await migrateBus(settings);
  const applied: Record<string, string[]> = {};
  for (const service of servicesOf(names)) applied[service.name] = await service.migrate(settings);
  return { applied, roles: await grantRoles(settings, names) };
};

/**
 * Returns the schemas that belong to an installation, each with its service's connection, or the owner's. The gateway has none, because its
 * counts restart from zero.
 */
export const carriedSchemas = (
  settings: Settings,
  as: "service" | "owner",
): readonly CarriedSchema[] =>
  servicesOf(serviceNames).flatMap(({ name, portable }) =>
    portable
      ? [
          {
            name,
            portable,
            settings: as === "owner" ? readerSettings(settings, name) : settingsOf(settings, name),
          },
        ]
      : [],
  );

/** Returns the settings for reading a service's data: as the owner if there is one, else as the service. */
export const readerSettings = (settings: Settings, name: ServiceName): Settings =>
  settings.options.databaseUrl ? settings : settingsOf(settings, name);

/** Returns what `migrateAll` would apply, by schema. Changes nothing. */
export const pendingAll = async (
  settings: Settings,
  names: readonly ServiceName[] = serviceNames,
): Promise<Record<string, string[]>> => {
  const ofServices = servicesOf(names).map(
    async ({ name, pendingMigrations }) =>
      [name, await pendingMigrations(readerSettings(settings, name))] as const,
  );
  const reader = names.find((name) => schemasOf(settings, name).includes("bus"));
  const ofBus = async () =>
    ["bus", reader ? await pendingBusMigrations(readerSettings(settings, reader)) : []] as const;
  return Object.fromEntries(await Promise.all([ofBus(), ...ofServices]));
};

/** The services of one process, the first replica of each, with a function that stops all. The gateway stops first. */
export interface RunningAll {
  url: string;
  /** The addresses of all replicas. */
  urls: Settings["network"]["urls"];
  services: Readonly<Record<string, RunningService>>;
  stop(): Promise<void>;
}

/** Maps a service's address to the one that callers use. */
export type Reach = (service: ServiceName, url: string) => string | Promise<string>;

/**
 * Runs every service in this process, each on a separate port and with HTTP calls to the others, as in a split installation. Port 0 chooses
 * a free port. All replicas except the first use free ports. `reach` puts a proxy in between.
 */
export const runAll = async (
  settings: Settings,
  replicas = 1,
  reach: Reach = (_service, url) => url,
): Promise<RunningAll> => {
  const urls = { ...settings.network.urls };
  const network = { ...settings.network, internalHost: "127.0.0.1", urls };
  const others = { ...network, ports: anyPorts, gatewayInternalPort: 0 };
  const running: RunningService[] = [];
  const close = async () => {
    const stopped = [];
    for (const service of running.toReversed())
      stopped.push(...(await Promise.allSettled([service.stop()])));
    const failed = stopped.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
  };
  const stop = async () => {
    await Promise.all(running.map((service) => service.drain()));
    await withDeadline(close(), stopMilliseconds, "stopping");
  };
  try {
    for (const service of servicesOf(serviceNames)) {
      const reached: string[] = [];
      for (let replica = 0; replica < replicas; replica += 1) {
        const own = { ...settings, network: replica === 0 ? network : others };
        const started = await runService(service, own);
        running.push(started);
        reached.push(await reach(service.name, started.url));
      }
      urls[service.name] = reached;
    }
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return {
    url: urls.gateway[0] ?? "",
    urls,
    // The first replica is inserted last and wins.
    services: Object.fromEntries(running.toReversed().map((service) => [service.name, service])),
    stop,
  };
};
