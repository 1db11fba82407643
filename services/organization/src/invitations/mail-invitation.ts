import { type Caller, preferredMailLocale, type UserSummary } from "@latchkey/contracts";
import { appendEvent, applicationUrl } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { mailedIdOf } from "./invitation-ids.ts";
import { invitationLink } from "./invitation-link.ts";
import type { InvitationRow } from "./queries.ts";

export type MailInvitationNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** The inviter as the mail names them. */
export type Inviter = Pick<UserSummary, "email" | "id" | "name">;

/** Requests the mail of an invitation when the transaction commits, unless the application sends its own. */
export const mailInvitation = async (
  deps: MailInvitationNeeds,
  trx: Transaction<Tables>,
  about: {
    invitation: InvitationRow;
    organizationName: string;
    inviter: Inviter;
    caller: Caller;
  },
): Promise<void> => {
  const { sendInvitationMail, acceptInvitationURL } = deps.config.organization;
  if (!sendInvitationMail) return;
  const { invitation, organizationName, inviter, caller } = about;
  const application = applicationUrl(deps.config.appURL, caller);
  await appendEvent(trx, deps, {
    name: "invitation.sent",
    data: {
      invitationId: invitation.id,
      email: invitation.email,
      organizationName,
      inviterId: inviter.id,
      inviterName: inviter.name,
      inviterEmail: inviter.email,
      url: invitationLink(
        acceptInvitationURL,
        { id: mailedIdOf(deps.ring, invitation), email: invitation.email },
        { baseUrl: caller.baseUrl, application },
      ),
      expiresAt: invitation.expiresAt.toISOString(),
      // The invited person may have no user yet. The language of the inviter is the best guess.
      locale: preferredMailLocale(caller.acceptLanguage ?? ""),
    },
  });
};
