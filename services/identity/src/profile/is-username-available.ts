import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUserByUsername } from "../users/queries.ts";
import { checkUsername, normaliseUsername } from "../users/username-rules.ts";

type IsUsernameAvailable = typeof operations.identity.isUsernameAvailable;

/** Returns whether no user has the username, including the caller. Rejects one that breaks a rule. */
export const isUsernameAvailable = async (
  deps: Pick<Deps, "config" | "db">,
  { body }: Call<IsUsernameAvailable>,
): Promise<Answer<OperationReply<IsUsernameAvailable>>> => {
  const username = normaliseUsername(deps.config.username, body.username);
  await checkUsername(deps.config.username, username);
  const holder = await findUserByUsername(deps.db, username);
  return { reply: { available: holder === undefined } };
};
