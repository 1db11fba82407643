import { isUniqueViolation } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { UserMembers } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

type Needs = ChangeUserNeeds & Pick<Deps, "fields">;

/**
 * A new address is verified if the provider asserts it. An unchanged address is verified if either side says so, so a
 * provider without an assertion changes nothing. A placeholder replaces no address.
 */
const addressOf = (here: UserRow, { email, emailVerified }: SocialSignIn["user"]): UserMembers => {
  const adds = emailVerified || email !== here.email;
  return adds && !isPlaceholderEmail(email) ? { email, emailVerified } : {};
};

/** Overwrites a user with the provider's data. Leaves out an address that another user has. */
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
      // A reader of the former mailbox must not be able to choose a password any more.
      publish: async (trx, written) => {
        if (written.email === here.email) return;
        await dropTokens(trx, here.id);
        await endChallengesAndTrust(trx, here.id);
        await endPendingSignIns(trx, deps, { userId: here.id, formerEmail: here.email });
      },
    });
  try {
    return (await write({ ...rest, ...addressOf(here, there) })) ?? here;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return (await write(rest)) ?? here;
  }
};
