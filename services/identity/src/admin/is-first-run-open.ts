import type { Deps } from "../deps.ts";
import { isSingleTokenValid } from "../one-time-tokens/single-token.ts";
import { canHaveFirstAdmin, firstRunName } from "./first-run-rules.ts";
import { findAdmin } from "./queries.ts";

/** Returns whether a token can still create the first admin: it is valid, and there is no admin. */
export const isFirstRunOpen = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  token: string,
): Promise<boolean> =>
  canHaveFirstAdmin(deps.config) &&
  (await isSingleTokenValid(deps, { name: firstRunName, token })) &&
  (await findAdmin(deps.db, deps.config.admin)) === undefined;
