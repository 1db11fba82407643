import { type Caller, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { resolveCaller } from "../sessions/resolve-caller.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUserByUsername } from "./queries.ts";
import { checkUsername, normaliseUsername } from "./username-rules.ts";

/**
 * Rejects a username that breaks a rule or belongs to another user. Runs before other checks, so that a form shows this
 * error first. Writing the row enforces uniqueness.
 */
export const checkUsernameFirst = async (
  deps: ResolveSessionNeeds & Pick<Deps, "db">,
  caller: Caller,
  { username }: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const options = deps.config.username;
  if (!options.enabled || typeof username !== "string") return;
  const wanted = normaliseUsername(options, username);
  await checkUsername(options, wanted);
  const holder = await findUserByUsername(deps.db, wanted);
  if (!holder) return;
  const own = await resolveCaller(deps, caller, { disableRefresh: true });
  if (own?.user.id !== holder.id)
    throw new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER");
};
