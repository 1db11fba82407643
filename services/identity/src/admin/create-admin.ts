import { operations, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { adminRole } from "./admin-role.ts";
import { createUser } from "./create-user.ts";
import { operatorCaller } from "./operator-caller.ts";

/** What is said of an admin who is to be. */
export interface NewAdmin {
  email: string;
  name: string;
  password: string;
  /** Further members of the user, such as additional fields. */
  data: Readonly<Record<string, unknown>>;
}

type Needs = Parameters<typeof createUser>[0] & Pick<Deps, "newEventId">;

const readBody = (given: object) => {
  const { success, data, error } = operations.identity.createUser.body.safeParse(given);
  if (success) return data;
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new WireError("VALIDATION_ERROR", { issues });
};

/** Creates a user with a password and the first of the admin roles; whoever runs the machine vouches for the address. */
export const createAdmin = async (
  deps: Needs,
  { email, name, password, data }: NewAdmin,
): Promise<UserRow> => {
  const id = await deps.newId("user");
  const body = readBody({
    email,
    name,
    password,
    id,
    forceAllowId: true,
    role: adminRole(deps.config.admin),
    data: { ...data, emailVerified: true },
  });
  const caller = operatorCaller(deps, "createUser");
  await createUser(deps, {
    body,
    caller,
    query: undefined,
    params: undefined,
    session: undefined,
  });
  const created = await findUser(deps, { id });
  if (!created) throw new WireError("USER_NOT_FOUND"); // somebody has removed it already
  return created;
};
