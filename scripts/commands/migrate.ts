import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { type GrantedRole, schemasOf, type Settings, settingsOf } from "@latchkey/service-kit";
import { migrateAll, type Migrated } from "../run-all.ts";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "./refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withInstallation } from "./with-installation.ts";

const options = { service: { type: "string", multiple: true, default: [] as string[] } } as const;

const isService = (name: string): name is ServiceName =>
  (serviceNames as readonly string[]).includes(name);

/** Undefined for all of them. */
const chooseServices = (names: readonly string[]): readonly ServiceName[] | undefined => {
  if (!names.every(isService))
    throw new UsageError(`--service is one of ${serviceNames.join(", ")}`);
  return names.length === 0 ? undefined : names;
};

/** A service's own settings, where no owner is named: its database is its own alone, and so is what is in it. */
const asItself = (settings: Settings, name: ServiceName): Settings => {
  const own = settingsOf(settings, name);
  if (!own.options.databaseUrl)
    throw new Refusal(
      `there is no database for ${name}. Set ${serviceVariables(name).databaseUrl}.`,
    );
  if (schemasOf(settings, name).includes("bus"))
    throw new Refusal(
      `messages to and from ${name} would get lost in a database of its own. Set REDIS_URL to have them go by Redis, or DATABASE_URL to the database that all share.`,
    );
  return own;
};

/** Brings everything up to date, or what is of some services: each by its own address where no owner is named. */
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
  `role ${name}: reads and writes for ${services.join(", ")}${hasPassword ? "" : "; its password is not ours to change, and stays"}\n`;

/** Brings the schemas of the database up to date, and the rights of the services' roles. */
export const migrateCommand: Command = {
  usage: `Usage: npx latchkey migrate [--service <name>]

Brings every schema of the configured database up to date. Safe while the previous version serves, and when several
processes do it at once. Without DATABASE_URL it is the database of this folder (.data/postgres).

It signs in as the owner: by DIRECT_DATABASE_URL, else by DATABASE_URL. Each service that has another role in an address of its
own (such as IDENTITY_DATABASE_URL) has that role made where it is missing, with the password of the address, and let
read and write its own schema and nothing else.
  --service <name>  ${serviceNames.join(", ")}; may be given several times. Those alone, such as one
                    whose schema lies on a server of its own
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
