import { type Caller, WireError } from "@latchkey/contracts";
import { isRequired } from "../second-factor/requirement.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import type { UserRow } from "../users/user-row.ts";

/**
 * Starts the session of a user who has just registered with a password. Returns undefined if a second factor is required of the user, who
 * sets it up in the first sign-in. Throws `FAILED_TO_CREATE_SESSION` if the application's hook vetoes the session.
 */
export const startFirstSession = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  { caller, remember }: { caller: Caller; remember: boolean },
): Promise<NewSession | undefined> => {
  if (isRequired(deps.config, user, deps.clock())) return undefined;
  const proof = { methods: ["password"] } as const;
  const created = await createSession(deps, user, { caller, remember, proof });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 400 });
  return created;
};
