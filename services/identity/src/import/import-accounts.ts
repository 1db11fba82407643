import { isLegacySealed, isPasswordHash, openLegacyValue } from "@latchkey/crypto";
import {
  createTableImporter,
  type GivenRow,
  idLengthMax,
  readGiven,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  planRows,
} from "@latchkey/service-kit/import";
import { tokenColumns } from "../accounts/account-tokens.ts";
import type { Deps } from "../deps.ts";
import { type GivenAccount, importedColumns } from "./imported-rows.ts";
import { listAccountClaims, importedAccounts } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "ring">;
type Batch = SourceBatch<GivenAccount>;
type Note = (reason: string) => void;

const tokens = ["accessToken", "refreshToken", "idToken"] as const;

/** Returns the tokens in stored form. Leaves out a token that was sealed by another secret. */
const readTokens = (deps: Needs, values: GivenAccount, note: Note) => {
  const open = (name: (typeof tokens)[number]): string | undefined => {
    const text = values[name];
    if (!text || !isLegacySealed(text)) return text || undefined;
    const opened = openLegacyValue(deps.ring, text);
    if (opened === undefined) note(`its ${name} is sealed by another secret`);
    return opened;
  };
  const [accessToken, refreshToken, idToken] = tokens.map(open);
  return {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    ...tokenColumns(deps, {
      ...(accessToken === undefined ? {} : { accessToken }),
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(idToken === undefined ? {} : { idToken }),
    }),
  };
};

const readAccount = (deps: Needs, { values }: GivenRow<GivenAccount>, note: Note) => {
  const { password: own } = deps.config.emailAndPassword;
  if (values.password && !own.verify && !isPasswordHash(values.password))
    note("its password hash is of another kind: emailAndPassword.password.verify must know it");
  const read = readGiven(importedColumns.account, values);
  const createdAt = read.createdAt ?? new Date(deps.clock());
  return {
    ...read,
    ...readTokens(deps, values, note),
    // The user may have chosen it before the address was proven, so it ends with a claim of the address.
    provisioned: false,
    createdAt,
    updatedAt: read.updatedAt ?? createdAt,
  };
};

/** Returns why a row of a user cannot be imported, or undefined if it can. */
export const missingUser = (
  { userId, hasUser }: { userId: string | null; hasUser: boolean | null },
  batch: Pick<SourceBatch<never>, "isLeft">,
): string | undefined => {
  if (!userId || !hasUser) return "its user does not exist";
  return batch.isLeft("user", userId) ? "its user was not brought" : undefined;
};

const refusalOf = ({ values }: GivenRow<GivenAccount>, batch: Batch): string | undefined => {
  const { id, providerId, accountId } = values;
  const isTooLong = [id, providerId, accountId].some((text) => !text || text.length > idLengthMax);
  return missingUser(values, batch) ?? (isTooLong ? "its ids are missing or too long" : undefined);
};

const plan = async (deps: Needs, given: readonly GivenRow<GivenAccount>[], batch: Batch) => {
  const nameOf = (one: { providerId: string | null; accountId: string | null }) =>
    `${one.providerId} ${one.accountId}`;
  const claims = await listAccountClaims(deps.db, {
    providerIds: given.map(({ values }) => values.providerId ?? ""),
    accountIds: given.map(({ values }) => values.accountId ?? ""),
  });
  const holders = new Map(claims.map((claim) => [nameOf(claim), claim.id]));
  return planRows(given, (row, addNote) => {
    const { id } = row.values;
    const refusal = refusalOf(row, batch);
    if (refusal) return refusal;
    const name = nameOf(row.values);
    if ((holders.get(name) ?? id) !== id || !batch.claim(`account ${name}`))
      return "this account at the provider is linked already";
    holders.set(name, id);
    return readAccount(deps, row, addNote);
  });
};

/** Imports sign-in methods: password hashes, and provider accounts with their tokens sealed again. */
export const importAccounts = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedAccounts),
      plan: (given) => plan(deps, given, batch),
    },
    batch,
  );
