import { findPlace, type FindPlaceNeeds } from "../sessions/device-sessions.ts";
import { z } from "zod";
import { isUniqueViolation } from "@latchkey/service-kit/database";
import { WireError } from "@latchkey/contracts";
import { clearProvisioned, findAccountOwner } from "../rows/accounts.ts";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/email.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import {
  type UserMembers,
  type NewUser,
  isAddressProven,
  isVerifiedByLinkAlone,
} from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { endAccess } from "../access/end-access.ts";
import { tokenColumns } from "../accounts/account-tokens.ts";
import {
  proposeUser,
  type Registration,
  registerUser,
  type RegisterUserNeeds,
} from "../accounts/register-user.ts";
import { requestVerification } from "../email-verification/request-verification.ts";
import {
  claimUser,
  linkAccount,
  type LinkAccountNeeds,
  linkToUnproven,
} from "../accounts/link-account.ts";
import { renewAccount } from "../accounts/renew-account.ts";
import { findUser } from "../users/find-users.ts";
import { isTrusted, mayLinkByAddress, vouchesFor } from "./link-rules.ts";
import { markVerified } from "../email-verification/verification-link.ts";
import { lookAgain } from "./finish-link.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

/** A name in parts. Apple sends null or nothing for a part that the user has not given. */
export interface GivenName {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
}

/** Joins the parts of a name. Returns undefined if there are none. */
export const joinName = (name: GivenName | null | undefined): string | undefined => {
  const parts = [name?.firstName, name?.lastName].map((part) => part?.trim() ?? "");
  return parts.filter((part) => part !== "").join(" ") || undefined;
};

/** A part of another type must not lose the other one. */
const part = z.string().nullish().catch(undefined);
const posted = z.object({ name: z.object({ firstName: part, lastName: part }) });

/** Returns the name from the JSON that Apple posts once, for a new user. Returns undefined for anything else. */
export const readGivenName = (user: string | undefined): string | undefined => {
  if (user === undefined) return undefined;
  try {
    return joinName(posted.parse(JSON.parse(user)).name);
  } catch {
    return undefined;
  }
};

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
        await clearProvisioned(trx, here.id);
        const { id: userId, email: formerEmail } = here;
        await endAccess(trx, deps, { userId, formerEmail, fact: "user.overridden-by-provider" });
      },
    });
  try {
    return (await write({ ...rest, ...addressOf(here, there) })) ?? here;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return (await write(rest)) ?? here;
  }
};

export type RegisterSocialNeeds = FindPlaceNeeds &
  RegisterUserNeeds &
  Pick<Deps, "fields" | "limits">;

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
  { user, nameFallback, guest }: SocialSignIn,
): Promise<NewUser> =>
  proposeUser(deps, {
    caller: guest,
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
 * Registers a new user with an account at the provider. `within` runs first in the transaction. Returns
 * undefined if another user has the address or the account.
 * Throws `SIGNUP_DISABLED` and `UNABLE_TO_CREATE_USER`.
 */
export const registerSocialUser = async (
  deps: RegisterSocialNeeds,
  signIn: SocialSignIn,
  within?: Registration["within"],
): Promise<UserRow | undefined> => {
  if (!maySignUp(signIn)) throw new WireError("SIGNUP_DISABLED");
  const { client, user, tokens, caller, isOfApp } = signIn;
  if (!isOfApp) await findPlace(deps, caller, undefined);
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
      within,
      publish: await prepareMail(deps, proposed, signIn),
    });
  } catch (error) {
    const isRefused = error instanceof WireError && error.code === "FAILED_TO_CREATE_USER";
    throw isRefused ? new WireError("UNABLE_TO_CREATE_USER", { cause: error }) : error;
  }
};

export type ResolveSocialNeeds = LinkAccountNeeds & RegisterSocialNeeds;

interface ResolvedSocialUser {
  user: UserRow;
  isNew: boolean;
}

/**
 * Returns the user of an account, or undefined without one. A sign-in by an account whose provider vouches for the address proves it.
 * If a mailed link alone had verified it, the sign-in claims the user, because other credentials may be a stranger's.
 */
const signInLinked = async (
  deps: ResolveSocialNeeds,
  { client, user: there, tokens, caller }: SocialSignIn,
): Promise<UserRow | undefined> => {
  const account = { providerId: client.provider.id, accountId: there.id };
  const owner = await findAccountOwner(deps.db, account);
  const user = owner && (await findUser(deps, { id: owner.userId }));
  if (!owner || !user) return undefined;
  nameAttemptedUser(caller, user.id);
  if (deps.config.account.updateAccountOnSignIn) {
    const outcome = await renewAccount(deps, { ...owner, ...account }, tokens);
    if (outcome === "gone") return undefined;
  }
  if (!vouchesFor(there, user)) return user;
  if (!(await isVerifiedByLinkAlone(deps.db, user.id)))
    return (await markVerified(deps, { user, caller })) ?? user;
  const isClaimed = await claimUser(deps, { user, kept: owner.id, isVerified: true, caller });
  return isClaimed ? findUser(deps, { id: user.id }) : undefined;
};

/**
 * Links the account to the user who has its address. Returns false if the user has changed meanwhile. If only a mailed
 * link has verified the address, the user's password may be a stranger's, so the former credentials are deleted.
 */
const linkByAddress = async (
  deps: ResolveSocialNeeds,
  here: UserRow,
  { client, user: there, tokens, caller }: SocialSignIn,
): Promise<boolean> => {
  nameAttemptedUser(caller, here.id);
  const { provider, definition } = client;
  const isVerifiedThere = there.emailVerified;
  const isAllowed = mayLinkByAddress(deps.config.account.accountLinking, {
    isTrusted: await isTrusted(deps, provider.id, caller),
    isVerifiedThere,
    isVerifiedHere: here.emailVerified,
  });
  if (!isAllowed) throw new WireError("ACCOUNT_NOT_LINKED");
  const linking = {
    user: here,
    providerId: provider.id,
    providerName: definition.name,
    accountId: there.id,
    tokens,
    caller,
  };
  const { email, emailVerified } = here;
  return (await isAddressProven(deps.db, here))
    ? linkAccount(deps, linking, { email, emailVerified })
    : linkToUnproven(deps, linking, { isVerifiedThere });
};

const resolveOnce = async (
  deps: ResolveSocialNeeds,
  signIn: SocialSignIn,
): Promise<ResolvedSocialUser | undefined> => {
  const { user: there } = signIn;
  const linked = await signInLinked(deps, signIn);
  if (linked) return { user: linked, isNew: false };
  if (there.hasOwnersAddress) return undefined; // unlinked meanwhile
  const here = await findUser(deps, { email: there.email });
  if (here) {
    if (!(await linkByAddress(deps, here, signIn))) return undefined;
    const user = await findUser(deps, { id: here.id });
    return user && { user, isNew: false };
  }
  const user = await registerSocialUser(deps, signIn);
  return user && { user, isNew: true };
};

/** Gives a user without a name the one that the provider sends. Apple sends it only with a consent, which may come later. */
const fillName = async (
  deps: ResolveSocialNeeds,
  here: UserRow,
  { user: { name }, caller }: SocialSignIn,
): Promise<UserRow> => {
  if (here.name !== "" || name === undefined) return here;
  const action = "user.info-copied";
  try {
    return (await changeUser(deps, { user: here, change: { name }, action, caller })) ?? here;
  } catch (error) {
    if (error instanceof WireError) return here; // the application's hook refuses the change, not the sign-in
    throw error;
  }
};

/**
 * Returns the user for a sign-in at a provider: the one with the account, else the one with the address, else a new one.
 * Concurrent sign-ins with one account get the same user. Throws `ACCOUNT_NOT_LINKED`, `SIGNUP_DISABLED`,
 * `UNABLE_TO_LINK_ACCOUNT` and `UNABLE_TO_CREATE_USER`.
 */
export const resolveSocialUser = async (
  deps: ResolveSocialNeeds,
  signIn: SocialSignIn,
): Promise<ResolvedSocialUser> => {
  const resolved = await lookAgain(() => resolveOnce(deps, signIn));
  if (!resolved) throw new WireError("UNABLE_TO_CREATE_USER");
  const overrides = signIn.client.provider.options.overrideUserInfoOnSignIn && !resolved.isNew;
  const complete = overrides ? overrideUser : fillName;
  return resolved.isNew
    ? resolved
    : { ...resolved, user: await complete(deps, resolved.user, signIn) };
};
