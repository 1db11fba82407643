/** Why a signed-in user cannot see an invitation. */
export type Refusal = "other" | "unverified" | "gone";

const refusals: Readonly<Record<string, Refusal>> = {
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: "other",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: "unverified",
  INVITATION_NOT_FOUND: "gone",
  OFFERED_INVITATION_NOT_FOUND: "gone",
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: "gone",
};

/** Returns the refusal that an error code means. Undefined if the reading of the invitation only failed. */
export const refusalOf = (code: string | undefined): Refusal | undefined =>
  code !== undefined && Object.hasOwn(refusals, code) ? refusals[code] : undefined;
