import type { Deps } from "../deps.ts";
import { loadSigningKey } from "./load-signing-key.ts";
import { listSigningKeys } from "./queries.ts";
import { unpublishedUntil } from "./signing-key-rules.ts";

/** A published key. */
export interface ExaminedKey {
  kid: string;
  /** Another key signs, or will sign soon. */
  isRetired: boolean;
  /** Whether its private key can be opened with the present secrets. */
  opens: boolean;
}

/** Returns the published keys, newest first. Creates none. */
export const examineSigningKeys = async ({
  clock,
  config,
  db,
  ring,
}: Pick<Deps, "clock" | "config" | "db" | "ring">): Promise<ExaminedKey[]> => {
  const rows = await listSigningKeys(db, unpublishedUntil(config.jwt.jwks, clock()));
  return rows.map((row) => ({
    kid: row.id,
    isRetired: row.retiredAt !== null,
    opens: loadSigningKey(ring, row, undefined)?.signer !== undefined,
  }));
};
