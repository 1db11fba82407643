import { HashPoolFullError } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { updateHash } from "./queries.ts";

/**
 * Replaces the stored hash of a verified password if it differs in form or parameters from new hashes. The password stays
 * the same, so no session ends and nothing is audited. A failure changes nothing: the next sign-in tries again.
 */
export const upgradeHash = async (
  { db, logger, passwords }: Pick<Deps, "db" | "logger" | "passwords">,
  { userId, stored }: { userId: string; stored: string },
  password: string,
): Promise<void> => {
  try {
    const upgraded = await passwords.upgrade(stored, password);
    if (upgraded !== undefined) await updateHash(db, { userId, stored, upgraded });
  } catch (error) {
    if (error instanceof HashPoolFullError) return;
    logger.warn({ err: error, userId }, "failed to upgrade a password hash, will retry");
  }
};
