import type { Operation } from "@latchkey/contracts";
import { type ReactNode, useState } from "react";
import type { CallInput } from "@latchkey/ui/api/call.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { FormError } from "../errors/form-error.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { splitRoles } from "./split-roles.ts";

interface ChangeRolesProps<O extends Operation> {
  operation: O;
  inputOf: (roles: string[]) => CallInput<O>;
  /** The address of the user or member. */
  email: string;
  /** Their current roles, and all roles to choose from. */
  role: string;
  roleNames: readonly string[];
  description: ReactNode;
  onClose: () => void;
}

const ChangeRolesForm = <O extends Operation>(props: ChangeRolesProps<O>) => {
  const { operation, inputOf, email, role, roleNames, onClose } = props;
  const [roles, setRoles] = useState(() => splitRoles(role));
  const change = useOperation(operation, {
    showsError: true,
    done: () => `Roles of ${email}: ${roles.join(", ")}.`,
    onDone: onClose,
  });
  const faults = faultsOf(change.error, ["role"]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (roles.length > 0) change.mutate(inputOf(roles));
      }}
    >
      <RoleChoice
        names={roleNames}
        chosen={roles}
        onChange={setRoles}
        error={roles.length === 0 ? "Choose at least one role." : faults.role}
      />
      {change.error && !faults.role && <FormError error={change.error} />}
      <DialogButtons action="Change roles" isBusy={change.isPending} onCancel={onClose} />
    </form>
  );
};

/** Changes someone's roles. At least one role must be chosen. */
export const ChangeRoles = <O extends Operation>(props: ChangeRolesProps<O>) => (
  <Dialog
    title="Change roles"
    description={props.description}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <ChangeRolesForm {...props} />
  </Dialog>
);
