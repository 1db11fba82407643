import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { migrateBus, pendingBusMigrations } from "@latchkey/service-kit/bus";
import { schemasOf, type Settings } from "@latchkey/service-kit/config";
import { type GrantedRole, grantRoles } from "@latchkey/service-kit/roles";
import { listCurrent } from "@latchkey/service-kit/run";
import { readerSettings, servicesOf } from "./services.ts";

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
  const services = servicesOf(names);
  const needsBus = names.some((name) => schemasOf(settings, name).includes("bus"));
  const [current] = await Promise.all([
    listCurrent(settings, services),
    needsBus && migrateBus(settings),
  ]);
  const applied: Record<string, string[]> = {};
  for (const service of services)
    applied[service.name] = current.has(service.name) ? [] : await service.migrate(settings);
  return { applied, roles: await grantRoles(settings, names) };
};

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
