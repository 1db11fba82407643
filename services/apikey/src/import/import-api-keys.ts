import {
  createTableImporter,
  type GivenRow,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  planRows,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { hasOrganizationKeys } from "../organizations/organization-calls.ts";
import { type GivenApiKey, readApiKey } from "./read-api-key.ts";
import { listKeyClaims, importedApiKeys } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;
type Batch = SourceBatch<GivenApiKey>;

/** Returns why the owner of a key cannot have it here. */
const ownerFault = (
  deps: Needs,
  { userId, hasUser, organizationId }: GivenApiKey,
  batch: Batch,
): string | undefined => {
  if (organizationId && userId) return "its owner may be a user or an organization";
  if (!organizationId) {
    if (!userId || !hasUser) return "it belongs to no user and to no organization";
    return batch.isLeft("user", userId) ? "its user was not brought" : undefined;
  }
  if (!hasOrganizationKeys(deps))
    return "it belongs to an organization, and apiKey.organizationKeys.enabled is off";
  return batch.isLeft("organization", organizationId)
    ? "its organization was not brought"
    : undefined;
};

const plan = async (deps: Needs, given: readonly GivenRow<GivenApiKey>[], batch: Batch) => {
  const claims = await listKeyClaims(
    deps.db,
    given.flatMap(({ values }) => values.key ?? []),
  );
  const keys = new Map(claims.map(({ key, id }) => [key, id]));
  return planRows(given, ({ values }, addNote) => {
    const row = ownerFault(deps, values, batch) ?? readApiKey(deps, values, addNote);
    if (typeof row === "string") return row;
    if ((keys.get(row.key) ?? row.id) !== row.id || !batch.claim(`key ${row.key}`))
      return "another key with the same hash exists here";
    keys.set(row.key, row.id);
    return row;
  });
};

/** Imports keys of users and organizations with their remaining uses. */
export const importApiKeys = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedApiKeys),
      endsRefused: true,
      plan: (given) => plan(deps, given, batch),
    },
    batch,
  );
