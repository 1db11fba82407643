import type { SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { firstHash } from "./chain-hash.ts";
import { findChainState } from "./chain-queries.ts";
import { signHead } from "./checkpoint-signature.ts";
import { atOneMoment, type ChainItem, readChain } from "./read-chain.ts";
import { findStart } from "./start-queries.ts";

export interface ExportAuditOptions<Tables extends KitTables> {
  db: Kysely<Tables>;
  schema: string;
  ring: SecretRing;
  /** The schemas of all logs in the same export. */
  schemas: readonly string[];
  /** Start time of the export, equal for all of its logs. */
  at: Date;
}

/** The entry comes last and as exactly the hashed text, so that a verifier can cut it out of the line. */
const lineOf = (schema: string, item: ChainItem): string => {
  const { kind, position } = item;
  const place = { kind, schema, position, hash: item.hash.toString("hex") };
  if (item.kind === "entry") {
    const start = JSON.stringify({ ...place, auditId: item.auditId });
    return `${start.slice(0, -1)},"entry":${item.entry ?? null}}`;
  }
  const { sealedAt, signature } = item;
  return JSON.stringify({ ...place, sealedAt, signature: signature.toString("base64url") });
};

/**
 * Writes the chain of a schema as JSON lines. The first line is a signed head with the chain's current end and the list of
 * logs. Every entry with its seal and every checkpoint follow in order. Unsealed rows are left out.
 */
export const exportAudit = <Tables extends KitTables>(
  { db, schema, ring, schemas, at }: ExportAuditOptions<Tables>,
  write: (line: string) => Promise<void>,
): Promise<void> =>
  atOneMoment(db, async (trx) => {
    const state = await findChainState(trx);
    const { position } = state;
    const hash = state.hash ?? firstHash;
    const start = (await findStart(trx))?.position ?? 0;
    const head = { schema, position, hash, at, schemas, start };
    const signature = signHead(ring, "export", head).toString("base64url");
    const line = { kind: "export", ...head, hash: hash.toString("hex"), signature };
    await write(JSON.stringify(line));
    for await (const item of readChain(trx, schema)) await write(lineOf(schema, item));
  });
