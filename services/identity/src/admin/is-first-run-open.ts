import type { Deps } from "../deps.ts";
import { isLoneTokenGood } from "../verification/lone-token.ts";
import { canHaveFirstAdmin, firstRunName } from "./first-run-rules.ts";
import { findAdmin } from "./queries.ts";

/** Whether a token makes the first admin still: it is good, and nobody is an admin. */
export const isFirstRunOpen = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  token: string,
): Promise<boolean> =>
  canHaveFirstAdmin(deps.config) &&
  (await isLoneTokenGood(deps, { name: firstRunName, token })) &&
  (await findAdmin(deps.db, deps.config.admin)) === undefined;
