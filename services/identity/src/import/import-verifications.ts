import { secretTokens } from "@latchkey/contracts";
import {
  createTableImporter,
  type GivenRow,
  readTime,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
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
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  const now = deps.clock();
  for (const { key, hash, values } of given) {
    const leave = (reason: string) => made.left.push({ key, reason });
    const { id, identifier, value } = values;
    const name = names.find((one) => identifier.startsWith(secretTokens[one].prefix));
    const token = name === undefined ? "" : identifier.slice(secretTokens[name].prefix.length);
    const expiresAt = readTime(values.expiresAt);
    if (!name || !tokenForm.test(token)) leave("its kind is not imported");
    else if (!expiresAt || expiresAt.getTime() <= now) leave("it has expired");
    else if (!value || batch.isLeft("user", value)) leave("its user was not brought");
    else {
      const createdAt = readTime(values.createdAt) ?? new Date(now);
      const updatedAt = readTime(values.updatedAt) ?? createdAt;
      const row = { id, identifier: identifierOf(deps, name, { token }), value, expiresAt };
      made.rows.push({ key, hash, values: { ...row, createdAt, updatedAt } });
    }
  }
  return made;
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
