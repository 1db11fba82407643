import { WireError } from "@latchkey/contracts";
import { tokenColumns } from "../accounts/account-tokens.ts";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { proposeUser, registerUser, type RegisterUserNeeds } from "../users/register-user.ts";
import type { NewUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { requestVerification } from "../email-verification/request-verification.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

export type RegisterSocialNeeds = RegisterUserNeeds & Pick<Deps, "fields" | "limits">;

/**
 * Returns whether a new user may be registered. `requestSignUp` overrides `disableImplicitSignUp`, but not
 * `disableSignUp`.
 */
const maySignUp = ({ client, requestSignUp }: SocialSignIn): boolean => {
  const { disableSignUp, disableImplicitSignUp } = client.provider.options;
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

/** Prepares the mail that verifies the address, if sign-up sends one and the address can receive mail. */
const prepareMail = async (deps: RegisterSocialNeeds, user: NewUser, signIn: SocialSignIn) => {
  const { enabled, sendOnSignUp } = deps.config.emailVerification;
  const mails = sendOnSignUp || signIn.client.provider.options.requireEmailVerification;
  if (!enabled || !mails || user.emailVerified || isPlaceholderEmail(user.email)) return undefined;
  const { caller, callbackURL } = signIn;
  const actor = { kind: "user", id: user.id } as const;
  const browser = caller.linkBrowser;
  const request = { user, callbackURL, caller, actor, browser, beyond: "drop" } as const;
  return (await requestVerification(deps, request)).publish;
};

/**
 * Registers a new user with an account at the provider. Returns undefined if another user has the address or the account.
 * Throws `SIGNUP_DISABLED` and `UNABLE_TO_CREATE_USER`.
 */
export const registerSocialUser = async (
  deps: RegisterSocialNeeds,
  signIn: SocialSignIn,
): Promise<UserRow | undefined> => {
  if (!maySignUp(signIn)) throw new WireError("SIGNUP_DISABLED");
  const { client, user, tokens, caller } = signIn;
  try {
    const proposed = await propose(deps, signIn);
    return await registerUser(deps, {
      user: proposed,
      account: {
        providerId: client.provider.id,
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
