import { type FullUser, WireError } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { GivenInvitation } from "./find-given-invitation.ts";

type Rules = Pick<OrganizationConfig, "organization">;

const verificationRequired = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";

/** Refuses a user with an unverified address if the options require a verified one. */
export const checkVerified = ({ organization }: Rules, user: FullUser): void => {
  if (organization.requireEmailVerificationOnInvitation && !user.emailVerified)
    throw new WireError(verificationRequired);
};

/**
 * Refuses everybody but the recipient. Either the address is verified, or the id came from the mail to it. Otherwise an attacker who learns
 * an id could register the address and take its owner's place.
 */
export const checkRecipient = (
  rules: Rules,
  user: FullUser,
  { invitation, isMailed }: GivenInvitation,
): void => {
  if (user.email.toLowerCase() !== invitation.email)
    throw new WireError("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
  checkVerified(rules, user);
  if (!isMailed && !user.emailVerified) throw new WireError(verificationRequired);
};
