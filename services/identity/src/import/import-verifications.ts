import { secretTokens } from "@latchkey/contracts";
import {
  createTableImporter,
  type GivenRow,
  readTime,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  planRows,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { identifierOf } from "../secrets/secrets.ts";
import type { GivenVerification } from "./imported-rows.ts";
import { importedVerifications } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db">;
type Batch = SourceBatch<GivenVerification>;

const names = ["passwordReset", "accountDeletion"] as const;
/** The form of a token, which the hash of an identifier does not have. */
const tokenForm = /^[A-Za-z0-9]{16,64}$/;

const plan = (deps: Needs, given: readonly GivenRow<GivenVerification>[], batch: Batch) => {
  const now = deps.clock();
  return planRows(given, ({ values }) => {
    const { id, identifier, value } = values;
    const name = names.find((one) => identifier.startsWith(secretTokens[one].prefix));
    const token = name === undefined ? "" : identifier.slice(secretTokens[name].prefix.length);
    const expiresAt = readTime(values.expiresAt);
    if (!name || !tokenForm.test(token)) return "its kind is not imported";
    if (!expiresAt || expiresAt.getTime() <= now) return "it has expired";
    if (!value || batch.isLeft("user", value)) return "its user was not brought";
    const createdAt = readTime(values.createdAt) ?? new Date(now);
    const updatedAt = readTime(values.updatedAt) ?? createdAt;
    const row = { id, identifier: identifierOf(deps, name, { token }), value, expiresAt };
    return { ...row, createdAt, updatedAt };
  });
};

/** Imports mailed links to choose a new password or to delete an account. */
export const importVerifications = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedVerifications),
      endsRefused: true,
      plan: async (given) => plan(deps, given, batch),
    },
    batch,
  );
