import { useState } from "react";
import { faultsOf } from "../../api/faults-of.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { UserPicker } from "../../components/users/user-picker.tsx";
import { RoleChoice } from "../../components/roles/role-choice.tsx";
import type { Organization } from "./use-organization.ts";

interface AddMemberProps {
  organization: Organization;
  roleNames: readonly string[];
  onClose: () => void;
}

const aboutUser = {
  USER_NOT_FOUND: "user",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "user",
} as const;

const AddMemberForm = ({ organization, roleNames, onClose }: AddMemberProps) => {
  const [user, setUser] = useState<Choice | null>(null);
  const [roles, setRoles] = useState<string[]>(["member"]);
  const [isTried, setIsTried] = useState(false);
  const add = useOperation(operations.organization.adminAddMember, {
    showsError: true,
    done: `${user?.label ?? "The user"} joined ${organization.name}.`,
    onDone: onClose,
  });
  const faults = faultsOf(add.error, ["user", "role"], aboutUser);
  const userFault = isTried && !user ? "Choose a user." : faults.user;
  const roleFault = isTried && roles.length === 0 ? "Choose at least one role." : faults.role;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (user && roles.length > 0)
          add.mutate({
            params: { id: organization.id },
            body: { userId: user.value, role: roles },
          });
      }}
    >
      <Field label="User" error={userFault}>
        <UserPicker
          value={user}
          onChange={(chosen) => {
            setUser(chosen);
            add.reset();
          }}
        />
      </Field>
      <RoleChoice names={roleNames} chosen={roles} onChange={setRoles} error={roleFault} />
      {add.error && !faults.user && !faults.role && <FormError error={add.error} />}
      <DialogButtons action="Add member" isBusy={add.isPending} onCancel={onClose} />
    </form>
  );
};

/** Adds a user as a member without an invitation. */
export const AddMember = (props: AddMemberProps) => (
  <Dialog
    title="Add member"
    description="The user becomes a member immediately, without an invitation."
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <AddMemberForm {...props} />
  </Dialog>
);
