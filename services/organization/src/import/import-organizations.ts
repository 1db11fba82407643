import {
  createTableImporter,
  deleteImported,
  forgetImported,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
  importTransaction,
  listUntouched,
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
  type GivenOrganization,
  type GivenTeam,
  importActor as actor,
  importedColumns,
  missingOrganization,
} from "./read-values.ts";

type Needs = EraseOrganizationNeeds & Pick<Deps, "db">;
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
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  const claims = await listOrganizationClaims(deps.db, {
    ids: [],
    slugs: given.map(({ values }) => values.slug ?? ""),
  });
  const slugs = new Map(claims.map(({ slug, id }) => [slug, id]));
  for (const one of given) {
    const { key, hash } = one;
    const leave = (reason: string) => made.left.push({ key, reason });
    const row = readOrganization(deps, one, (reason) => made.noted.push({ key, reason }));
    if (typeof row === "string") leave(row);
    else if (
      (slugs.get(row.slug) ?? one.values.id) !== one.values.id ||
      !batch.claim(`slug ${row.slug}`)
    )
      leave("another organization has its slug here");
    else {
      slugs.set(row.slug, one.values.id);
      made.rows.push({ key, hash, values: row });
    }
  }
  return made;
};

const erase = (deps: Needs, id: string): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, id);
    if (!organization) return false;
    return (await eraseOrganization(deps, trx, { organization, actor })) !== undefined;
  });

/** Imports organizations. An organization that the source has deleted is deleted as by its owner. */
export const importOrganizations = (deps: Needs, batch: Batch): Promise<ImportedBatch> => {
  const table = createTableImporter(deps.db, importedOrganizations);
  return importBatch(
    deps,
    {
      ...table,
      plan: (given) => planOrganizations(deps, given, batch),
      remove: async (keys) => {
        const removed = new Set<string>();
        for (const key of await table.untouched(keys, batch))
          if (await erase(deps, key)) removed.add(key);
        await forgetImported(deps.db, { source: batch.source, model: batch.model, keys });
        return removed;
      },
    },
    batch,
  );
};

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
    const released = { source, column: "teamId", ids };
    await releaseImported(trx, importedInvitations, { ...released, model: "invitation" });
    const removed = await deleteImported(trx, importedTeams, { source, model, keys: ids });
    await forgetImported(trx, { source, model, keys });
    return removed;
  });

/** Imports teams. Members of a team that the source has deleted stay in the organization. */
export const importTeams = (
  deps: Pick<Deps, "clock" | "db">,
  batch: SourceBatch<GivenTeam>,
): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedTeams),
      remove: (keys) => removeTeams(deps, keys, batch),
      plan: async (given) => {
        const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
        for (const { key, hash, values } of given) {
          const { id } = values;
          const missing = missingOrganization(values, batch);
          const reason = missing ?? (id.length > idLengthMax ? "its id is too long" : undefined);
          const read = readGiven(importedColumns.team, values, nameLengthMax);
          const createdAt = read.createdAt ?? new Date(deps.clock());
          const row = { ...read, name: read.name ?? "", createdAt };
          if (reason) made.left.push({ key, reason });
          else made.rows.push({ key, hash, values: row });
        }
        return made;
      },
    },
    batch,
  );
