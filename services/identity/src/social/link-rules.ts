import { type Caller, comparableEmail, type Options, type User } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/**
 * Returns whether the options trust a provider's assertions about addresses. The option is a list, or a function that is
 * called for each request.
 */
export const isTrusted = async (
  { config }: Pick<Deps, "config">,
  providerId: string,
  { baseUrl, address, userAgent }: Caller,
): Promise<boolean> => {
  const { trustedProviders } = config.account.accountLinking;
  const trusted =
    typeof trustedProviders === "function"
      ? await trustedProviders({ baseUrl, address, userAgent })
      : trustedProviders;
  return trusted.includes(providerId);
};

type Linking = Options["account"]["accountLinking"];

/** The facts that decide whether an account at a provider may be linked to a user. */
interface LinkFacts {
  /** The options list the provider as trusted. */
  isTrusted: boolean;
  /** The provider asserts that the address is verified. */
  isVerifiedThere: boolean;
}

const isVouchedFor = ({ isTrusted, isVerifiedThere }: LinkFacts) => isTrusted || isVerifiedThere;

/**
 * Returns whether a sign-in may link its account to the user with the same address. That user must have verified the
 * address, too. Otherwise an attacker could register a victim's address first and share the account with the victim.
 */
export const mayLinkByAddress = (
  linking: Pick<Linking, "enabled" | "disableImplicitLinking" | "requireLocalEmailVerified">,
  facts: LinkFacts & { isVerifiedHere: boolean },
): boolean =>
  linking.enabled &&
  !linking.disableImplicitLinking &&
  isVouchedFor(facts) &&
  (facts.isVerifiedHere || !linking.requireLocalEmailVerified);

/** Returns whether a signed-in user may link an account, apart from its address. */
export const mayLink = ({ enabled }: Pick<Linking, "enabled">, facts: LinkFacts): boolean =>
  enabled && isVouchedFor(facts);

/** Returns whether the address of an account is allowed for the user to whom it is to be linked. */
export const isAddressAllowed = (
  { allowDifferentEmails }: Pick<Linking, "allowDifferentEmails">,
  there: string,
  here: string,
): boolean => allowDifferentEmails || comparableEmail(there) === comparableEmail(here);

/** Returns whether a provider vouches for the address of a user. */
export const vouchesFor = (
  there: { email: string; emailVerified: boolean },
  { email }: Pick<User, "email">,
): boolean => there.emailVerified && comparableEmail(there.email) === email;
