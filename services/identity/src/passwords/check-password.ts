import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findPassword } from "./find-password.ts";

/** The stored hash of a user's password, which the given one fits; refuses any other, and a user who has none. */
export const checkPassword = async (
  deps: Pick<Deps, "db" | "passwords">,
  userId: string,
  password: string,
): Promise<string> => {
  const stored = await findPassword(deps, userId);
  if (stored === undefined) throw new WireError("CREDENTIAL_ACCOUNT_NOT_FOUND");
  if (!(await deps.passwords.verify(stored, password))) throw new WireError("INVALID_PASSWORD");
  return stored;
};
