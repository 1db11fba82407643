import { isUniqueViolation } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { UserMembers } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { dropTokens } from "../verification/single-use-token.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

type Needs = ChangeUserNeeds & Pick<Deps, "fields">;

/**
 * An address that stays is verified if either side says so; a new one if the provider does. One that stands for none takes
 * the place of no other.
 */
const addressOf = (here: UserRow, { email, emailVerified }: SocialSignIn["user"]): UserMembers =>
  isPlaceholderEmail(email)
    ? {}
    : { email, emailVerified: emailVerified || (email === here.email && here.emailVerified) };

/** Writes over a user what the provider says of them; an address that is somebody else's is left out. */
export const overrideUser = async (
  deps: Needs,
  here: UserRow,
  { user: there, caller }: Pick<SocialSignIn, "user" | "caller">,
): Promise<UserRow> => {
  const extra = await deps.fields.user.read({
    values: there.mapped,
    mode: "update",
    isTrusted: true,
  });
  const rest: UserMembers = {
    ...(there.name === undefined ? {} : { name: there.name }),
    ...(there.image === undefined ? {} : { image: there.image }),
    extra,
  };
  const write = (change: UserMembers) =>
    changeUser(deps, {
      user: here,
      change,
      action: "user.overridden-by-provider",
      caller,
      // Whoever reads the former mailbox must not choose a password any more.
      publish: async (trx, written) => {
        if (written.email !== here.email) await dropTokens(trx, here.id);
      },
    });
  try {
    return (await write({ ...rest, ...addressOf(here, there) })) ?? here;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return (await write(rest)) ?? here;
  }
};
