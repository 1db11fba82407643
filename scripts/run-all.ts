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

/** What was brought up to date. */
export interface Migrated {
  /** The names of what was applied, by service. */
  applied: Record<string, string[]>;
  roles: readonly GrantedRole[];
}

/**
 * Brings the bus and the schemas of services up to date, and then the rights of the roles that these have of their own. Signs in
 * as the owner, by `databaseUrl` and `directDatabaseUrl` themselves.
 */
export const migrateAll = async (
  settings: Settings,
  names: readonly ServiceName[] = serviceNames,
): Promise<Migrated> => {
  if (names.some((name) => schemasOf(settings, name).includes("bus"))) await migrateBus(settings);
  const applied: Record<string, string[]> = {};
  for (const service of servicesOf(names))
    applied[service.name] = (await service.migrate?.(settings)) ?? [];
  return { applied, roles: await grantRoles(settings, names) };
};

/**
 * The schemas that are an installation, each as its service reaches it, or as who may migrate it does. The gateway has none: what
 * it counts is begun anew.
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

/** The settings by which something of a service is looked at: as the owner, or else as the service itself. */
export const readerSettings = (settings: Settings, name: ServiceName): Settings =>
  settings.options.databaseUrl ? settings : settingsOf(settings, name);

/** What `migrateAll` would apply, by schema; changes nothing. */
export const pendingAll = async (
  settings: Settings,
  names: readonly ServiceName[] = serviceNames,
): Promise<Record<string, string[]>> => {
  const ofServices = servicesOf(names).map(
    async ({ name, pendingMigrations }) =>
      [name, (await pendingMigrations?.(readerSettings(settings, name))) ?? []] as const,
  );
  const reader = names.find((name) => schemasOf(settings, name).includes("bus"));
  const ofBus = async () =>
    ["bus", reader ? await pendingBusMigrations(readerSettings(settings, reader)) : []] as const;
  return Object.fromEntries(await Promise.all([ofBus(), ...ofServices]));
};

/** The services of one process, the first replica of each, and what ends them all: the public door first. */
export interface RunningAll {
  url: string;
  /** Where all replicas are. */
  urls: Settings["network"]["urls"];
  services: Readonly<Record<string, RunningService>>;
  stop(): Promise<void>;
}

/** Where others are told that a service is, by where it is. */
export type Reach = (service: ServiceName, url: string) => string | Promise<string>;

/**
 * Runs every service in this process, each on its own port and talking HTTP to the others as it would when split. A
 * port of 0 is a free one, and so are those of all `replicas` of a service but the first. `reach` puts something between them.
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
    // The first replica comes last, and stays.
    services: Object.fromEntries(running.toReversed().map((service) => [service.name, service])),
    stop,
  };
};
