import { operations, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { adminRole } from "./read-roles.ts";
import { createUserRow, type CreateUserNeeds, type UserCreation } from "./create-user-row.ts";
import { operatorActor, operatorCaller } from "./operator-caller.ts";

/** The data of an admin to create. */
export interface NewAdmin {
  email: string;
  name: string;
  password: string;
  /** Further members of the user, such as additional fields. */
  data: Readonly<Record<string, unknown>>;
}

const readBody = (given: object) => {
  const { success, data, error } = operations.identity.createUser.body.safeParse(given);
  if (success) return data;
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new WireError("VALIDATION_ERROR", { issues });
};

/**
 * Creates a user with a password and the first of the admin roles. The address counts as verified, because the operator
 * of the machine vouches for it.
 */
export const createAdmin = async (
  deps: CreateUserNeeds & Pick<Deps, "newEventId">,
  { email, name, password, data }: NewAdmin,
  by: Omit<UserCreation, "body"> = {
    caller: operatorCaller(deps, "createUser"),
    actor: operatorActor,
  },
): Promise<UserRow> => {
  const body = readBody({
    email,
    name,
    password,
    role: adminRole(deps.config.admin),
    data: { ...data, emailVerified: true },
  });
  const created = await createUserRow(deps, { ...by, body });
  if (!created) throw new WireError("USER_ALREADY_EXISTS");
  return created;
};
