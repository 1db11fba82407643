import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { schemasOf, type Settings, settingsOf } from "@latchkey/service-kit/config";
import type { GrantedRole } from "@latchkey/service-kit/roles";
import { migrateAll, type Migrated } from "../installation/migrate-all.ts";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withInstallation } from "./with-installation.ts";

const options = { service: { type: "string", multiple: true, default: [] as string[] } } as const;

const isService = (name: string): name is ServiceName =>
  (serviceNames as readonly string[]).includes(name);

/** Returns undefined for all services. */
const chooseServices = (names: readonly string[]): readonly ServiceName[] | undefined => {
  if (!names.every(isService))
    throw new UsageError(`--service is one of ${serviceNames.join(", ")}`);
  return names.length === 0 ? undefined : names;
};

/** Returns a service's own settings if no owner is configured. Its database and contents then belong to the service alone. */
const asItself = (settings: Settings, name: ServiceName): Settings => {
  const own = settingsOf(settings, name);
  if (!own.options.databaseUrl)
    throw new Refusal(
      `there is no database for ${name}. Set ${serviceVariables(name).databaseUrl}.`,
    );
  if (schemasOf(settings, name).includes("bus"))
    throw new Refusal(
      `messages to and from ${name} would get lost in a separate database. Set REDIS_URL to send them through Redis, or DATABASE_URL to the database that all share.`,
    );
  return own;
};

/** Migrates all services or the named ones, each by its own address if no owner is configured. */
export const migrateServices = async (
  settings: Settings,
  names: readonly ServiceName[] | undefined,
): Promise<Migrated> => {
  if (settings.options.databaseUrl || !names) return migrateAll(settings, names);
  const migrated: Migrated = { applied: {}, roles: [] };
  for (const name of names)
    Object.assign(migrated.applied, (await migrateAll(asItself(settings, name), [name])).applied);
  return migrated;
};

const describeRole = ({ name, services, hasPassword }: GrantedRole): string =>
  `role ${name}: reads and writes for ${services.join(", ")}${hasPassword ? "" : "; its password was not set by Latchkey and is kept"}\n`;

/** Migrates the schemas of the database and updates the privileges of the services' roles. */
export const migrateCommand: Command = {
  usage: `Usage: npx latchkey migrate [--service <name>]

Migrates every schema of the configured database. Safe while the previous version serves, and when several processes
run it at once. Without DATABASE_URL it uses the database of this folder (postgres in DATA_FOLDER, by default .data).

It connects as the owner: by DIRECT_DATABASE_URL, else by DATABASE_URL. If a service's own address (such as
IDENTITY_DATABASE_URL) names another role, the command creates the role if it is missing, with the password of the address,
and lets it read and write the service's schema and nothing else.
  --service <name>  ${serviceNames.join(", ")}; may be given several times. Migrates only
                    these, for example one whose schema is on a separate server
`,
  run: async (args) => {
    const names = chooseServices(readOptions(args, options).service);
    const { applied, roles } = await withInstallation(
      ({ settings }) => migrateServices(settings, names),
      names,
    );
    for (const [service, done] of Object.entries(applied))
      process.stdout.write(`${service}: ${done.length === 0 ? "up to date" : done.join(", ")}\n`);
    process.stdout.write(roles.map(describeRole).join(""));
    return 0;
  },
};
