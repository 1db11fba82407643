import { randomToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { replaceSingleToken } from "../one-time-tokens/single-token.ts";
import { canHaveFirstAdmin, firstRunName } from "./first-run-rules.ts";
import { findAdmin, lockAdmins } from "./queries.ts";

const tokenLength = 32;
const lifetimeSeconds = 3_600;

/**
 * Creates a token for the first admin, valid once and for an hour, and replaces the previous one. Returns undefined if
 * there is an admin already, or if a first admin is not possible.
 */
export const openFirstRun = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "newId">,
): Promise<string | undefined> => {
  if (!canHaveFirstAdmin(deps.config)) return undefined;
  const token = randomToken(tokenLength, "alphanumeric");
  return deps.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    if (await findAdmin(trx, deps.config.admin)) return undefined;
    await replaceSingleToken(deps, trx, { name: firstRunName, token, lifetimeSeconds });
    return token;
  });
};
