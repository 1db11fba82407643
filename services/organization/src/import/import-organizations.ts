import {
  createTableImporter,
  deleteImported,
  forgetImported,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  importTransaction,
  listUntouched,
  planRows,
  readGiven,
  releaseImported,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import {
  eraseOrganization,
  type EraseOrganizationNeeds,
} from "../organizations/change-organization.ts";
import { lockOrganization } from "../rows/organizations.ts";
import {
  importedInvitations,
  importedOrganizations,
  importedTeams,
  listOrganizationClaims,
} from "./queries.ts";
import {
  createFieldReader,
  type GivenOrganization,
  type GivenTeam,
  importActor as actor,
  importedColumns,
  missingOrganization,
} from "./read-values.ts";

type Needs = EraseOrganizationNeeds & Pick<Deps, "config" | "db" | "fields">;
type Batch = SourceBatch<GivenOrganization>;
type Note = (reason: string) => void;

const metadataLengthMax = 65_536;
const textLengthMax = 10_000;

/** Returns the JSON text of an object, also if it is JSON within JSON. Returns null for anything else. */
const readMetadata = (text: string | null, note: Note): string | null => {
  const refuse = () => {
    note("its metadata is no JSON of an object");
    return null;
  };
  if (text === null || text === "" || text === "null") return null;
  if (text.length > metadataLengthMax) return refuse();
  try {
    const parsed: unknown = JSON.parse(text);
    const value: unknown = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
    if (value === null) return null;
    return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : refuse();
  } catch {
    return refuse();
  }
};

const readOrganization = (
  { clock }: Needs,
  { values }: GivenRow<GivenOrganization>,
  note: Note,
) => {
  const { id, slug } = values;
  if (id === "" || id.length > idLengthMax) return "its id is too long";
  if (!slug || slug.length > idLengthMax) return "its slug is missing or too long";
  const read = readGiven(importedColumns.organization, values, textLengthMax);
  return {
    ...read,
    name: read.name ?? "",
    slug,
    metadata: readMetadata(values.metadata, note),
    createdAt: read.createdAt ?? new Date(clock()),
  };
};

const planOrganizations = async (
  deps: Needs,
  given: readonly GivenRow<GivenOrganization>[],
  batch: Batch,
) => {
  const claims = await listOrganizationClaims(deps.db, {
    ids: [],
    slugs: given.map(({ values }) => values.slug ?? ""),
  });
  const readFields = await createFieldReader(deps, "organization");
  const slugs = new Map(claims.map(({ slug, id }) => [slug, id]));
  return planRows(given, (row, addNote) => {
    const { id } = row.values;
    const read = readOrganization(deps, row, addNote);
    if (typeof read === "string") return read;
    if ((slugs.get(read.slug) ?? id) !== id || !batch.claim(`slug ${read.slug}`))
      return "another organization has its slug here";
    slugs.set(read.slug, id);
    return { ...read, extra: readFields(row.values, addNote) };
  });
};

const erase = async (deps: Needs, ids: readonly string[]): Promise<Set<string>> => {
  const removed = new Set<string>();
  for (const id of ids) {
    const isErased = await deps.db.transaction().execute(async (trx) => {
      const organization = await lockOrganization(trx, id);
      if (!organization) return false;
      return (await eraseOrganization(deps, trx, { organization, actor })) !== undefined;
    });
    if (isErased) removed.add(id);
  }
  return removed;
};

/** Imports organizations. An organization that the source has deleted is deleted as by its owner. */
export const importOrganizations = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedOrganizations, (ids) => erase(deps, ids)),
      plan: (given) => planOrganizations(deps, given, batch),
    },
    batch,
  );

const nameLengthMax = 10_000;

/**
 * Deletes teams. Invitations to them are released first. Otherwise the deletion would make them look changed here, and the import would
 * ignore later changes from the source.
 */
const removeTeams = (
  { db }: Pick<Deps, "db">,
  keys: string[],
  { source, model }: Pick<SourceBatch<GivenTeam>, "source" | "model">,
): Promise<Set<string>> =>
  importTransaction(db, async (trx) => {
    const ids = [...(await listUntouched(trx, importedTeams, { source, model, keys }))];
    for (const column of ["teamId", "moreTeamIds"])
      await releaseImported(trx, importedInvitations, { source, model: "invitation", column, ids });
    const removed = await deleteImported(trx, importedTeams, { source, model, keys: ids });
    await forgetImported(trx, { source, model, keys });
    return removed;
  });

/** Imports teams. Members of a team that the source has deleted stay in the organization. */
export const importTeams = (
  deps: Pick<Deps, "clock" | "config" | "db" | "fields">,
  batch: SourceBatch<GivenTeam>,
): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedTeams),
      remove: (keys) => removeTeams(deps, keys, batch),
      plan: async (given) => {
        const readFields = await createFieldReader(deps, "team");
        return planRows(given, ({ values }, addNote) => {
          const missing = missingOrganization(values, batch);
          if (missing) return missing;
          if (values.id.length > idLengthMax) return "its id is too long";
          const read = readGiven(importedColumns.team, values, nameLengthMax);
          const createdAt = read.createdAt ?? new Date(deps.clock());
          const extra = readFields(values, addNote);
          return { ...read, name: read.name ?? "", createdAt, extra };
        });
      },
    },
    batch,
  );
