import { type FullUser, WireError } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { InvitationRow } from "./queries.ts";

type Rules = Pick<OrganizationConfig, "organization">;

/** Refuses who has not proven their address, where the options ask for that. */
export const checkVerified = ({ organization }: Rules, user: FullUser): void => {
  if (organization.requireEmailVerificationOnInvitation && !user.emailVerified)
    throw new WireError("EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION");
};

/** Refuses an invitation to who was not invited by it. */
export const checkRecipient = (
  rules: Rules,
  user: FullUser,
  { email }: Pick<InvitationRow, "email">,
): void => {
  if (user.email.toLowerCase() !== email)
    throw new WireError("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
  checkVerified(rules, user);
};
