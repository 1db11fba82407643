import { operations } from "@latchkey/ui/api/contracts.ts";
import { ChangeRoles } from "../../components/roles/change-roles.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import type { UserDialogProps } from "./confirmations.tsx";

export const ChangeUserRoles = ({ user, onClose }: UserDialogProps) => {
  const role = user.role ?? "";
  return (
    <ChangeRoles
      operation={operations.identity.adminSetRole}
      inputOf={(roles) => ({ body: { userId: user.id, role: roles } })}
      email={user.email}
      role={role}
      roleNames={useRoleNames("admin.roles", [role])}
      description={
        <>
          What <bdi className="break-words">{user.email}</bdi> may do changes at once, in the
          sessions that they have, too.
        </>
      }
      onClose={onClose}
    />
  );
};
