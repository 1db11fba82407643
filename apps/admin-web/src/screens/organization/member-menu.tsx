import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { ChangeRoles } from "../../components/roles/change-roles.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { TransferOwnership } from "./transfer-ownership.tsx";
import type { Member } from "./use-organization.ts";

interface OneMember {
  member: Member;
  onClose: () => void;
}

const { adminSetMemberRole, adminRemoveMember } = operations.organization;

const RolesDialog = ({ member, onClose }: OneMember) => (
  <ChangeRoles
    operation={adminSetMemberRole}
    inputOf={(role) => ({
      params: { id: member.organizationId },
      body: { memberId: member.id, role },
    })}
    email={member.user.email}
    role={member.role}
    roleNames={useRoleNames("organization.roles", [member.role])}
    description={<bdi className="break-words">{member.user.email}</bdi>}
    onClose={onClose}
  />
);

const RemoveDialog = ({ member, onClose }: OneMember) => (
  <Confirm
    operation={adminRemoveMember}
    input={{ params: { id: member.organizationId }, body: { memberId: member.id } }}
    title={`Remove ${member.user.email}?`}
    action="Remove member"
    done={`${member.user.email} removed.`}
    onClose={onClose}
  >
    The user immediately loses their roles and teams in this organization. The user account is kept.
  </Confirm>
);

/** The actions on a member. */
export const MemberMenu = ({ member }: { member: Member }) => {
  const [asked, setAsked] = useState<"roles" | "owner" | "remove">();
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
        <MenuItem onSelect={() => setAsked("owner")}>Make owner…</MenuItem>
        <MenuItem isDangerous onSelect={() => setAsked("remove")}>
          Remove…
        </MenuItem>
      </DropdownMenu>
      {asked === "roles" && <RolesDialog member={member} onClose={onClose} />}
      {asked === "owner" && <TransferOwnership member={member} onClose={onClose} />}
      {asked === "remove" && <RemoveDialog member={member} onClose={onClose} />}
    </>
  );
};
