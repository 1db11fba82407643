import { useState } from "react";
import { operations } from "../../api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { RoleChoice } from "../../components/role-choice.tsx";
import { splitRoles } from "../../components/split-roles.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { FormError } from "../../components/ui/form-error.tsx";
import { useRoleNames } from "../users/use-role-names.ts";
import type { UserDialogProps } from "./confirmations.tsx";

const ChangeRolesForm = ({ user, onClose }: UserDialogProps) => {
  const roleNames = useRoleNames([user.role ?? ""]);
  const [roles, setRoles] = useState(() => splitRoles(user.role ?? ""));
  const change = useOperation(operations.identity.adminSetRole, {
    showsError: true,
    done: (reply) =>
      `${reply.user.email} is ${splitRoles(reply.user.role ?? "").join(" and ")} now.`,
    onDone: onClose,
  });
  const faults = faultsOf(change.error, ["role"]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (roles.length > 0) change.mutate({ body: { userId: user.id, role: roles } });
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

/** Gives a user other roles. */
export const ChangeRoles = (props: UserDialogProps) => (
  <Dialog
    title="Change roles"
    description={
      <>
        What <bdi className="break-words">{props.user.email}</bdi> may do changes at once, in the
        sessions that they have, too.
      </>
    }
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <ChangeRolesForm {...props} />
  </Dialog>
);
