import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listInvitationMails } from "./queries.ts";

type AdminListInvitationMails = typeof operations.mailer.adminListInvitationMails;

/** Returns the latest mail of each of these invitations, which shows whether the last one was delivered. */
export const adminListInvitationMails = async (
  { db }: Pick<Deps, "db">,
  { query: { invitationId } }: Call<AdminListInvitationMails>,
): Promise<Answer<OperationReply<AdminListInvitationMails>>> => ({
  reply: { deliveries: await listInvitationMails(db, [invitationId].flat()) },
});
