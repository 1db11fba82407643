import type { Deps } from "../deps.ts";
import { loadSigningKey } from "./load-signing-key.ts";
import { listSigningKeys } from "./queries.ts";
import { unpublishedUntil } from "./signing-key-rules.ts";

/** A key that is published. */
export interface ExaminedKey {
  kid: string;
  /** Another signs, or soon will. */
  isRetired: boolean;
  /** Whether its private half can be opened with the secrets of now. */
  opens: boolean;
}

/** The keys that are published, newest first; makes none. */
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
