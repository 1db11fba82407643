import type { Permissions } from "@latchkey/contracts";
import {
  createTableImporter,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  planRows,
  readGiven,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { importedRoles } from "./queries.ts";
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

const planRoles = (
  deps: Needs,
  given: readonly GivenRow<GivenOrganizationRole>[],
  batch: Batch,
) => {
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
    const offered = Object.fromEntries(entries.filter(([resource]) => isKnown(resource)));
    const read = readGiven(importedColumns.organizationRole, values);
    const createdAt = read.createdAt ?? new Date(deps.clock());
    return { ...read, permission: JSON.stringify(offered), createdAt };
  });
};

/** Imports the roles that organizations made themselves. */
export const importOrganizationRoles = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedRoles),
      endsRefused: true,
      plan: async (given) => planRoles(deps, given, batch),
    },
    batch,
  );
