import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import type { Invitation } from "./use-organization.ts";

/** Sends the mail of an invitation again. */
export const useResendInvitation = ({ id, email, organizationId }: Invitation) => {
  const { mutate, isPending } = useOperation(operations.organization.adminResendInvitation, {
    done: `Invitation resent to ${email}.`,
  });
  const send = () => mutate({ params: { id: organizationId }, body: { invitationId: id } });
  return { send, isPending };
};
