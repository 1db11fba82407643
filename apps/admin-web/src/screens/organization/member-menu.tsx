import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { operations } from "../../api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { AlertDialog } from "../../components/ui/alert-dialog.tsx";
import { DropdownMenu, MenuItem } from "../../components/ui/dropdown-menu.tsx";
import { IconButton } from "../../components/ui/icon-button.tsx";
import { ChangeRoles } from "./change-roles.tsx";
import { useRoleNames } from "./use-role-names.ts";
import type { Member } from "./use-organization.ts";

interface OneMember {
  member: Member;
  onClose: () => void;
}

const RolesDialog = (props: OneMember) => (
  <ChangeRoles {...props} roleNames={useRoleNames([props.member.role])} />
);

const RemoveDialog = ({ member, onClose }: OneMember) => {
  const remove = useOperation(operations.organization.adminRemoveMember, {
    done: `${member.user.email} is no member any more.`,
    onDone: onClose,
  });
  return (
    <AlertDialog
      title={`Remove ${member.user.email}?`}
      action="Remove member"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isBusy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { params: { id: member.organizationId }, body: { memberId: member.id } },
          { onError: onClose },
        )
      }
    >
      They lose their roles and their teams here at once. Their user stays, and they may be invited
      again.
    </AlertDialog>
  );
};

/** What can be done to a member. */
export const MemberMenu = ({ member }: { member: Member }) => {
  const [asked, setAsked] = useState<"roles" | "remove">();
  const onClose = () => setAsked(undefined);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={`Actions on ${member.user.email}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked("roles")}>Change roles…</MenuItem>
        <MenuItem isDangerous onSelect={() => setAsked("remove")}>
          Remove…
        </MenuItem>
      </DropdownMenu>
      {asked === "roles" && <RolesDialog member={member} onClose={onClose} />}
      {asked === "remove" && <RemoveDialog member={member} onClose={onClose} />}
    </>
  );
};
