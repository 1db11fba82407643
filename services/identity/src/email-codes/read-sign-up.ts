import { type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { NewUser } from "../users/queries.ts";
import { proposeUser, type RegisterUserNeeds } from "../users/register-user.ts";
import { checkUsername, usernameMembers } from "../users/username-rules.ts";

type Body = Call<typeof operations.identity.signInEmailOtp>["body"];
type Needs = Pick<Deps, "config" | "fields">;

/** Refuses a field that clients may not set and that has no default. */
const refuseClosedFields = ({ config }: Needs, body: Body): void => {
  for (const [name, field] of Object.entries(config.additionalFields.user))
    if (!field.input && field.defaultValue === undefined && Object.hasOwn(body, name))
      throw new WireError("FIELD_NOT_ALLOWED", { message: `${name} is not allowed to be set` });
};

/**
 * Checks the members of a new user before the code is looked at, so that a bad one costs no code. A missing field is refused later, because
 * known users need none and the answer must not reveal who is known.
 */
export const checkSignUp = async (deps: Needs, body: Body): Promise<void> => {
  const { username } = usernameMembers(deps.config.username, body);
  if (username !== undefined) await checkUsername(deps.config.username, username);
  refuseClosedFields(deps, body);
  await deps.fields.user.read({ values: body, mode: "update" });
};

/** Returns the user to register with a proven address. */
export const proposeSignUp = async (
  deps: Needs & RegisterUserNeeds,
  { body, email }: { body: Body; email: string },
): Promise<NewUser> =>
  proposeUser(deps, {
    name: body.name ?? "",
    email,
    emailVerified: true,
    image: body.image ?? null,
    ...usernameMembers(deps.config.username, body),
    extra: await deps.fields.user.read({ values: body, mode: "create" }),
  });
