import type { Deps } from "../deps.ts";
import { deleteRetiredSigningKeys } from "./queries.ts";
import { unpublishedUntil } from "./signing-key-rules.ts";

/** Deletes the keys that are no longer published. Returns the number. */
export const sweepSigningKeys = ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<number> =>
  deleteRetiredSigningKeys(db, unpublishedUntil(config.jwt.jwks, clock()));
