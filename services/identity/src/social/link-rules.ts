import type { Options, User } from "@latchkey/contracts";

type Linking = Options["account"]["accountLinking"];

/** The facts that decide whether an account at a provider may be linked to a user. */
export interface LinkFacts {
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
): boolean => allowDifferentEmails || there.toLowerCase() === here.toLowerCase();

/** Returns whether a provider vouches for the address of a user. */
export const vouchesFor = (
  there: { email: string; emailVerified: boolean },
  { email }: Pick<User, "email">,
): boolean => there.emailVerified && there.email.toLowerCase() === email;
