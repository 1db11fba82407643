import { randomToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { replaceLoneToken } from "../verification/lone-token.ts";
import { canHaveFirstAdmin, firstRunName } from "./first-run-rules.ts";
import { findAdmin, lockAdmins } from "./queries.ts";

const tokenLength = 32;
const lifetimeSeconds = 3_600;

/**
 * A token that makes the first admin within the hour, once; it takes the place of the one before. Undefined where somebody
 * is an admin already, or nobody could be made one.
 */
export const openFirstRun = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "newId">,
): Promise<string | undefined> => {
  if (!canHaveFirstAdmin(deps.config)) return undefined;
  const token = randomToken(tokenLength, "alphanumeric");
  return deps.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    if (await findAdmin(trx, deps.config.admin)) return undefined;
    await replaceLoneToken(deps, trx, { name: firstRunName, token, lifetimeSeconds });
    return token;
  });
};
