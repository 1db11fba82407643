import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { isUnderWay } from "../../components/mails/delivery-state.tsx";
import type { Invitation } from "./use-organization.ts";

const { adminListInvitationMails } = operations.mailer;

export type InvitationMail = CallReply<typeof adminListInvitationMails>["deliveries"][number];

const againMs = 5000;
/** The most invitations whose mails one request may read. */
const readMax = 100;

/**
 * Returns the latest mail of each of the latest pending invitations. Refreshes them while some are not delivered, because the mail of
 * an invitation that is sent again is a new one.
 */
export const useInvitationMails = (
  invitations: readonly Invitation[],
): ReadonlyMap<string, InvitationMail> => {
  const { may } = useAccess();
  const invitationId = invitations
    .filter(({ status }) => status === "pending")
    .slice(-readMax)
    .map(({ id }) => id);
  const { data } = useQuery({
    ...operationQuery(adminListInvitationMails, { query: { invitationId } }),
    enabled: may("delivery:list") && invitationId.length > 0,
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => state === "failed" || isUnderWay(state))
        ? againEvery(againMs)(query)
        : false,
  });
  return new Map(data?.deliveries.map((mail) => [mail.invitationId, mail]));
};
