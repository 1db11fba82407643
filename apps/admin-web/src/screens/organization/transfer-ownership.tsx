import { useState } from "react";
import { faultsOf } from "../../api/faults-of.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useOption } from "../../components/use-option.ts";
import type { Member } from "./use-organization.ts";

interface TransferProps {
  member: Member;
  onClose: () => void;
}

/** Stands for the role that present owners have. No role has an empty name. */
const staysOwner = "";

const TransferForm = ({ member, onClose }: TransferProps) => {
  const [role, setRole] = useState(staysOwner);
  const option = useOption("organization.creatorRole");
  const creatorRole = typeof option === "string" ? option : "owner";
  const roles = useRoleNames("organization.roles").filter((name) => name !== creatorRole);
  const transfer = useOperation(operations.organization.adminTransferOwnership, {
    showsError: true,
    done: `${member.user.email} is now an owner.`,
    onDone: onClose,
  });
  const faults = faultsOf(transfer.error, ["previousOwnerRole"]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        transfer.mutate({
          params: { id: member.organizationId },
          body: { memberId: member.id, ...(role !== staysOwner && { previousOwnerRole: role }) },
        });
      }}
    >
      <Field
        label="Present owners"
        description={
          role === staysOwner
            ? "They keep their roles."
            : "This role replaces all their roles in this organization."
        }
        error={faults.previousOwnerRole}
      >
        <Select
          choices={[
            { value: staysOwner, label: "Stay owners" },
            ...roles.map((name) => ({ value: name, label: `Become ${name}` })),
          ]}
          value={role}
          onChange={setRole}
        />
      </Field>
      {transfer.error && !faults.previousOwnerRole && <FormError error={transfer.error} />}
      <DialogButtons action="Make owner" isBusy={transfer.isPending} onCancel={onClose} />
    </form>
  );
};

/** Makes a member an owner, and gives the present owners another role on request. */
export const TransferOwnership = (props: TransferProps) => (
  <Dialog
    title="Make owner"
    description={
      <>
        <bdi className="break-words">{props.member.user.email}</bdi> can then change everything in
        this organization.
      </>
    }
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <TransferForm {...props} />
  </Dialog>
);
