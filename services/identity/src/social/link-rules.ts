import type { Options } from "@latchkey/contracts";

type Linking = Options["account"]["accountLinking"];

/** What decides whether an account at a provider may become a user's. */
export interface LinkFacts {
  /** The options name the provider as one whose word on addresses is taken. */
  isTrusted: boolean;
  /** The provider says that the address is theirs. */
  isVerifiedThere: boolean;
}

const isVouchedFor = ({ isTrusted, isVerifiedThere }: LinkFacts) => isTrusted || isVerifiedThere;

/**
 * Whether a sign-in may link its account to the user who has the same address already. That user must have proven the
 * address too: who registers another's address first would else be let into the account that its owner comes to.
 */
export const mayLinkByAddress = (
  linking: Pick<Linking, "enabled" | "disableImplicitLinking" | "requireLocalEmailVerified">,
  facts: LinkFacts & { isVerifiedHere: boolean },
): boolean =>
  linking.enabled &&
  !linking.disableImplicitLinking &&
  isVouchedFor(facts) &&
  (facts.isVerifiedHere || !linking.requireLocalEmailVerified);

/** Whether somebody signed in may link an account to themself, addresses apart. */
export const mayLink = ({ enabled }: Pick<Linking, "enabled">, facts: LinkFacts): boolean =>
  enabled && isVouchedFor(facts);

/** Whether the address of an account suits the user that it is to be linked to. */
export const isAddressAllowed = (
  { allowDifferentEmails }: Pick<Linking, "allowDifferentEmails">,
  there: string,
  here: string,
): boolean => allowDifferentEmails || there.toLowerCase() === here.toLowerCase();
