import type { SigningKeyEntry } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { loadSigningKey } from "./load-signing-key.ts";
import { listSigningKeys } from "./queries.ts";
import { handedOverAt, publishedUntil, stateOf, unpublishedUntil } from "./signing-key-rules.ts";

/** Returns the published keys for admins, newest first. Creates none. */
export const listKeyEntries = async ({
  clock,
  config,
  db,
  ring,
}: Pick<Deps, "clock" | "config" | "db" | "ring">): Promise<SigningKeyEntry[]> => {
  const { jwks } = config.jwt;
  const now = clock();
  const rows = await listSigningKeys(db, unpublishedUntil(jwks, now));
  const keys = rows.map((row) => ({
    id: row.id,
    alg: row.alg,
    createdAt: row.createdAt,
    retiredAt: row.retiredAt,
    opens: loadSigningKey(ring, row, undefined)?.signer !== undefined,
  }));
  return keys.map((key) => {
    const state = stateOf(key, keys, now);
    const signsAt = state === "next" ? handedOverAt(key.createdAt) : null;
    return Object.assign(key, { state, signsAt, publishedUntil: publishedUntil(key, jwks) });
  });
};
