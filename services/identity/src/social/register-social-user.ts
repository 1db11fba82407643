import { WireError } from "@latchkey/contracts";
import { tokenColumns } from "../accounts/account-tokens.ts";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { proposeUser, registerUser, type RegisterUserNeeds } from "../users/register-user.ts";
import type { NewUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { requestVerification } from "../verification/request-verification.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** What it works with. */
export type RegisterSocialNeeds = RegisterUserNeeds & Pick<Deps, "fields">;

/** Whether somebody new may be registered. `requestSignUp` opens what is closed by default, not what is closed for good. */
const maySignUp = ({ talk, requestSignUp }: SocialSignIn): boolean => {
  const { disableSignUp, disableImplicitSignUp } = talk.provider.options;
  return !disableSignUp && (!disableImplicitSignUp || requestSignUp);
};

const propose = async (
  deps: RegisterSocialNeeds,
  { user, nameFallback }: SocialSignIn,
): Promise<NewUser> =>
  proposeUser(deps, {
    name: user.name ?? nameFallback,
    email: user.email,
    emailVerified: user.emailVerified,
    image: user.image ?? null,
    extra: await deps.fields.user.read({ values: user.mapped, mode: "create", isTrusted: true }),
  });

/** The mail that proves an address, where sign-up sends one and mail can go there. */
const prepareMail = async (deps: RegisterSocialNeeds, user: NewUser, signIn: SocialSignIn) => {
  const { enabled, sendOnSignUp } = deps.config.emailVerification;
  const mails = sendOnSignUp || signIn.talk.provider.options.requireEmailVerification;
  if (!enabled || !mails || user.emailVerified || isPlaceholderEmail(user.email)) return undefined;
  const { caller, callbackURL } = signIn;
  const actor = { kind: "user", id: user.id } as const;
  return requestVerification(deps, { user, callbackURL, caller, actor });
};

/**
 * Registers somebody new with their account at the provider. Undefined when the address or the account is somebody's by
 * now; throws `SIGNUP_DISABLED` and `UNABLE_TO_CREATE_USER`.
 */
export const registerSocialUser = async (
  deps: RegisterSocialNeeds,
  signIn: SocialSignIn,
): Promise<UserRow | undefined> => {
  if (!maySignUp(signIn)) throw new WireError("SIGNUP_DISABLED");
  const { talk, user, tokens, caller } = signIn;
  try {
    const proposed = await propose(deps, signIn);
    return await registerUser(deps, {
      user: proposed,
      account: {
        providerId: talk.provider.id,
        accountId: user.id,
        secrets: tokenColumns(deps, tokens),
      },
      caller,
      publish: await prepareMail(deps, proposed, signIn),
    });
  } catch (error) {
    const isRefused = error instanceof WireError && error.code === "FAILED_TO_CREATE_USER";
    throw isRefused ? new WireError("UNABLE_TO_CREATE_USER", { cause: error }) : error;
  }
};
