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
import { credentialIdBytesMax } from "../passkeys/verify-response.ts";
import { type GivenPasskey, importedColumns } from "./imported-rows.ts";
import { missingUser } from "./import-accounts.ts";
import { importedPasskeys, listPasskeyClaims } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db">;
type Batch = SourceBatch<GivenPasskey>;

const noAaguid = "00000000-0000-0000-0000-000000000000";
const aaguidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const nameLengthMax = 1_024;
const transportsForm = /^[a-z-]{1,32}(?:,[a-z-]{1,32}){0,15}$/;
const counterMax = 2 ** 32 - 1;

/** A COSE key is a map of CBOR, whose first byte has the major type 5. */
const isMap = (bytes: Buffer): boolean => (bytes[0] ?? 0) >> 5 === 5;

const credentialIdOf = ({ credentialID }: GivenPasskey): Buffer =>
  Buffer.from(credentialID ?? "", "base64url");

const refusalOf = ({ values }: GivenRow<GivenPasskey>, batch: Batch): string | undefined => {
  const missing = missingUser(values, batch);
  if (missing) return missing;
  if (values.hasNewer) return "a newer passkey has its credential id";
  const { length } = credentialIdOf(values);
  const isIdUnfit = length === 0 || length > credentialIdBytesMax || values.id.length > idLengthMax;
  if (isIdUnfit) return "its ids are missing or too long";
  const counter = values.counter ?? 0;
  if (!Number.isInteger(counter) || counter < 0 || counter > counterMax)
    return "its counter is none";
  if (!["singleDevice", "multiDevice"].includes(values.deviceType ?? ""))
    return "its kind of device is unknown";
  const publicKey = Buffer.from(values.publicKey ?? "", "base64");
  return isMap(publicKey) ? undefined : "its public key cannot be read";
};

/** Bytes are written as Postgres reads them from text. */
const hexOf = (bytes: Buffer): string => `\\x${bytes.toString("hex")}`;

const readPasskey = ({ clock }: Needs, { values }: GivenRow<GivenPasskey>) => {
  const { credentialID: _, publicKey, ...read } = readGiven(importedColumns.passkey, values);
  const transports = read.transports ?? "";
  const aaguid = read.aaguid?.toLowerCase() ?? "";
  return {
    ...read,
    name: read.name?.slice(0, nameLengthMax).toWellFormed() ?? null,
    credentialId: hexOf(credentialIdOf(values)),
    publicKey: hexOf(Buffer.from(publicKey ?? "", "base64")),
    counter: read.counter ?? 0,
    backedUp: read.backedUp ?? false,
    transports: transportsForm.test(transports) ? transports : null,
    aaguid: aaguidForm.test(aaguid) ? aaguid : noAaguid,
    // The source does not store whether the authenticator verified the user.
    userVerified: false,
    hasUserHandle: false,
    createdAt: read.createdAt ?? new Date(clock()),
  };
};

const plan = async (deps: Needs, given: readonly GivenRow<GivenPasskey>[], batch: Batch) => {
  const claims = await listPasskeyClaims(
    deps.db,
    given.map(({ values }) => credentialIdOf(values)),
  );
  const holders = new Map(claims.map(({ id, credentialId }) => [credentialId.toString("hex"), id]));
  return planRows(given, (row) => {
    const { id } = row.values;
    const refusal = refusalOf(row, batch);
    if (refusal) return refusal;
    const credentialId = credentialIdOf(row.values).toString("hex");
    if ((holders.get(credentialId) ?? id) !== id || !batch.claim(`passkey ${credentialId}`))
      return "another passkey has its credential id here";
    holders.set(credentialId, id);
    return readPasskey(deps, row);
  });
};

/** Imports passkeys. Their authenticators keep the user handles of the source, which are not compared here. */
export const importPasskeys = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedPasskeys),
      endsRefused: true,
      plan: (given) => plan(deps, given, batch),
    },
    batch,
  );
