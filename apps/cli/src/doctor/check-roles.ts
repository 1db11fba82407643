import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { schemasOf, type Settings } from "@latchkey/service-kit/config";
import type { createPostgresPool } from "@latchkey/service-kit/database";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { type NamedDatabase, ownDatabase, serverOf, withPool } from "./named-database.ts";
import type { Examined } from "./read-examined.ts";
import { runCheck } from "./run-check.ts";

type Pool = ReturnType<typeof createPostgresPool>;

interface Reach {
  schema: string;
  /** The role of the connection. */
  role: string;
  isSuperuser: boolean;
  mayCopy: boolean;
  /** Includes access through a role that it is a member of. */
  mayEnter: boolean;
  /** Whether it may read and write every table, and read the applied migrations. */
  mayWork: boolean;
  mayCreate: boolean;
}

const readReach = async (pool: Pool): Promise<Reach[]> => {
  const { rows } = await pool.query<Reach>(
    `select nspname as schema, current_user as role,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      (select rolreplication from pg_roles where rolname = current_user) as "mayCopy",
      exists (
        select from pg_roles
        where pg_has_role(pg_roles.oid, 'member')
          and has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'usage')
      ) as "mayEnter",
      has_schema_privilege(pg_namespace.oid, 'create') as "mayCreate",
      not exists (
        select from pg_class
        where relnamespace = pg_namespace.oid and relkind in ('r', 'p', 'v')
          and not (has_table_privilege(pg_class.oid, 'select') and (
            relname in ('migration', 'migration_lock')
            or has_table_privilege(pg_class.oid, 'insert')
              and has_table_privilege(pg_class.oid, 'update')
              and has_table_privilege(pg_class.oid, 'delete')))
      ) as "mayWork"
    from pg_namespace where nspname = any($1) order by 1`,
    [["bus", ...serviceNames]],
  );
  return rows;
};

const describeReach = (check: string, own: readonly string[], reached: Reach[]): Finding => {
  const role = reached[0]?.role ?? "it";
  const list = (schemas: readonly string[]) => schemas.join(", ");
  const works = reached.filter(({ mayEnter, mayWork }) => mayEnter && mayWork);
  const closed = own.filter((schema) => !works.some((one) => one.schema === schema));
  if (closed.length > 0)
    return fail(
      check,
      `${role} may not read and write ${list(closed)}`,
      "run npx latchkey migrate as the owner",
    );
  const others = reached.filter(({ schema, mayEnter }) => mayEnter && !own.includes(schema));
  if (others.length > 0)
    return fail(
      check,
      `${role} may read ${list(others.map(({ schema }) => schema))} too`,
      reached[0]?.isSuperuser
        ? "use a role that is not a superuser"
        : "run npx latchkey migrate as the owner; take it out of roles that it is a member of",
    );
  if (reached[0]?.mayCopy)
    return fail(check, `${role} may copy the whole server`, `alter role ${role} noreplication`);
  return reached.some(({ schema, mayCreate }) => mayCreate && own.includes(schema))
    ? warn(
        check,
        `${role} may change tables of ${list(own)}`,
        "use another role than the owner, and run npx latchkey migrate as the owner",
      )
    : ok(check, `${role} reads and writes ${list(own)} and nothing else`);
};

const isRefused = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && error.code === "28P01";

const checkRole = (
  database: NamedDatabase,
  settings: Settings,
  name: ServiceName,
): Promise<Finding[]> => {
  const { check, option, url } = database;
  return runCheck(check, serverOf(database), async () => {
    try {
      const reached = await withPool(url, readReach);
      return [describeReach(check, schemasOf(settings, name), reached)];
    } catch (error) {
      if (!isRefused(error)) throw error;
      const remedy = `run npx latchkey migrate as the owner, which creates the role, or fix user and password in ${option}`;
      return [fail(check, error.message, remedy)];
    }
  });
};

/** Checks that each service with a separate role can access its own schema and no other. */
export const checkRoles = async ({
  settings,
  leftOut,
}: Pick<Examined, "settings" | "leftOut">): Promise<Finding[]> => {
  if (leftOut.has("databases"))
    return [
      fail(
        "roles",
        "not checked: an address is invalid",
        "fix the <SERVICE>_DATABASE_URL reported above",
      ),
    ];
  const apart = serviceNames.filter((name) => settings.options.databases[name].url);
  const findings = await Promise.all(
    apart.map((name) => checkRole(ownDatabase(settings, name), settings, name)),
  );
  return findings.flat();
};
