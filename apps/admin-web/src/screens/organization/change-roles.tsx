import { useState } from "react";
import { operations } from "../../api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { FormError } from "../../components/ui/form-error.tsx";
import { RoleChoice } from "../../components/role-choice.tsx";
import { splitRoles } from "../../components/split-roles.ts";
import type { Member } from "./use-organization.ts";

interface ChangeRolesProps {
  member: Member;
  roleNames: readonly string[];
  onClose: () => void;
}

const ChangeRolesForm = ({ member, roleNames, onClose }: ChangeRolesProps) => {
  const [roles, setRoles] = useState(() => splitRoles(member.role));
  const change = useOperation(operations.organization.adminSetMemberRole, {
    showsError: true,
    done: ({ role }) => `${member.user.email} is ${splitRoles(role).join(" and ")} now.`,
    onDone: onClose,
  });
  const faults = faultsOf(change.error, ["role"]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (roles.length > 0)
          change.mutate({
            params: { id: member.organizationId },
            body: { memberId: member.id, role: roles },
          });
      }}
    >
      <RoleChoice
        names={roleNames}
        chosen={roles}
        onChange={setRoles}
        error={roles.length === 0 ? "Choose one role at least." : faults.role}
      />
      {change.error && !faults.role && <FormError error={change.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          Change roles
        </Button>
      </div>
    </form>
  );
};

/** Gives a member other roles. */
export const ChangeRoles = (props: ChangeRolesProps) => (
  <Dialog
    title="Change roles"
    description={<bdi className="break-words">{props.member.user.email}</bdi>}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <ChangeRolesForm {...props} />
  </Dialog>
);
