import type { Permissions } from "@latchkey/contracts";
import {
  createTableImporter,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  importTransaction,
  insertImported,
  planRows,
  readGiven,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { countRolesOf, importedRoles, lockOrganizations } from "./queries.ts";
import {
  type GivenOrganizationRole,
  importedColumns,
  isRoleName,
  missingOrganization,
} from "./read-values.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;
type Batch = SourceBatch<GivenOrganizationRole>;

const isActions = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((action) => typeof action === "string");

/** Returns the permissions of a role, or undefined for anything else than resources with lists of actions. */
const readPermission = (text: string): Permissions | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || !Object.values(parsed).every(isActions))
      return undefined;
    return parsed as Permissions; // checked above
  } catch {
    return undefined;
  }
};

/** Returns why a role cannot be imported, or undefined if it can. */
const refusalOf = (
  { config: { organization } }: Needs,
  { values }: GivenRow<GivenOrganizationRole>,
  batch: Batch,
): string | undefined => {
  const { id, organizationId } = values;
  const role = values.role ?? "";
  if (!isRoleName(role)) return "its name is not 1 to 63 of a-z, 0-9, _ and -";
  if (Object.hasOwn(organization.roles, role)) return "organization.roles has a role of its name";
  if (!batch.claim(`role ${organizationId} ${role}`))
    return "its organization has a role of its name";
  return (
    missingOrganization(values, batch) ??
    (id.length > idLengthMax ? "its id is too long" : undefined)
  );
};

type RoleOf = { values: { organizationId: string | null } };

const organizationsOf = (rows: readonly RoleOf[]): string[] => [
  ...new Set(rows.map(({ values }) => values.organizationId ?? "")),
];

/**
 * Creates the function that returns whether an organization may have another role. It counts those that it has let pass, in a dry run also
 * those of earlier batches.
 */
const createRoom = async (
  { config }: Pick<Needs, "config">,
  db: Needs["db"],
  { rows, claim }: { rows: readonly RoleOf[]; claim: Batch["claim"] },
) => {
  const counts = await countRolesOf(db, organizationsOf(rows));
  const { maximumRolesPerOrganization: max } = config.organization.dynamicAccessControl;
  return ({ values }: RoleOf): boolean => {
    const organizationId = values.organizationId ?? "";
    let count = counts.get(organizationId) ?? 0;
    while (count < max && !claim(`place ${organizationId} ${count}`)) count += 1;
    counts.set(organizationId, count + 1);
    return count < max;
  };
};

const planRoles = async (
  deps: Needs,
  given: readonly GivenRow<GivenOrganizationRole>[],
  { known, batch }: { known: ReadonlySet<string>; batch: Batch },
) => {
  const { claim } = batch;
  const hasRoom = await createRoom(deps, deps.db, { rows: given, claim });
  const configuredRoles = Object.values(deps.config.organization.roles);
  const isKnown = (resource: string) =>
    configuredRoles.some((granted) => Object.hasOwn(granted, resource));
  return planRows(given, (row, addNote) => {
    const { values } = row;
    const refusal = refusalOf(deps, row, batch);
    if (refusal) return refusal;
    const permission = readPermission(values.permission ?? "");
    if (!permission) return "its permission is no list of actions";
    const entries = Object.entries(permission);
    for (const [resource] of entries.filter(([name]) => !isKnown(name)))
      addNote(`its resource ${JSON.stringify(resource.slice(0, 64))} is not in organization.roles`);
    if (!known.has(row.key) && !hasRoom(row))
      return "its organization has as many roles as organization.dynamicAccessControl allows";
    const offered = Object.fromEntries(entries.filter(([resource]) => isKnown(resource)));
    const read = readGiven(importedColumns.organizationRole, values);
    const createdAt = read.createdAt ?? new Date(deps.clock());
    return { ...read, permission: JSON.stringify(offered), createdAt };
  });
};

/** A role's row to write. */
type RoleToImport = Awaited<ReturnType<typeof planRoles>>["rows"][number]["values"];

/** Inserts as many roles as each organization may have. Its lock holds off roles that its members make meanwhile. */
const insertRoles = (deps: Needs, rows: GivenRow<RoleToImport>[], { source, model }: Batch) =>
  importTransaction(deps.db, async (trx) => {
    await lockOrganizations(trx, organizationsOf(rows));
    const hasRoom = await createRoom(deps, trx, { rows, claim: () => true });
    return insertImported(trx, importedRoles, { source, model, rows: rows.filter(hasRoom) });
  });

/** Imports the roles that organizations made themselves. */
export const importOrganizationRoles = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedRoles),
      endsRefused: true,
      plan: (given, known) => planRoles(deps, given, { known, batch }),
      insert: (rows: GivenRow<RoleToImport>[]) => insertRoles(deps, rows, batch),
    },
    batch,
  );
