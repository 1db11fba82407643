import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { useResendInvitation } from "./use-resend-invitation.ts";
import type { Invitation } from "./use-organization.ts";

interface OneInvitation {
  invitation: Invitation;
  onClose: () => void;
}

const sent = ({ id, organizationId }: Invitation) => ({
  params: { id: organizationId },
  body: { invitationId: id },
});

const CancelDialog = ({ invitation, onClose }: OneInvitation) => (
  <Confirm
    operation={operations.organization.adminCancelInvitation}
    input={sent(invitation)}
    title={`Cancel the invitation of ${invitation.email}?`}
    action="Cancel invitation"
    done={`Invitation of ${invitation.email} canceled.`}
    onClose={onClose}
  >
    The link in the email stops working. You can invite them again.
  </Confirm>
);

/** The actions on a pending invitation. */
export const InvitationMenu = ({ invitation }: { invitation: Invitation }) => {
  const [isCanceling, setIsCanceling] = useState(false);
  const { send } = useResendInvitation(invitation);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={`Actions on the invitation of ${invitation.email}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={send}>Resend</MenuItem>
        <MenuItem isDangerous onSelect={() => setIsCanceling(true)}>
          Cancel…
        </MenuItem>
      </DropdownMenu>
      {isCanceling && (
        <CancelDialog invitation={invitation} onClose={() => setIsCanceling(false)} />
      )}
    </>
  );
};
