import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useOperation, useReread } from "@latchkey/ui/api/use-operation.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { Member } from "./organization.ts";
import { RoleField } from "./role-field.tsx";

const { removeMember, updateMemberRole } = operations.organization;

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

export const ChangeRole = ({ member, onClose }: MemberDialogProps) => {
  const t = useTranslation("organizations");
  const { id: memberId, organizationId, user } = member;
  const change = useOperation(updateMemberRole, {
    done: t("members.roleChanged"),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: { role: member.role },
    change,
    onSubmit: ({ role }) => change.mutate({ body: { role, memberId, organizationId } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("members.changeRoleOf", { name: user.name })}
      action={t("members.changeRole")}
      onClose={onClose}
    >
      <RoleField {...form.field("role")} organizationId={organizationId} present={member.role} />
    </FormDialog>
  );
};

export const RemoveMember = ({ member, onClose }: MemberDialogProps) => {
  const t = useTranslation("organizations");
  const { id: memberIdOrEmail, organizationId } = member;
  const { name } = member.user;
  const remove = useOperation(removeMember, {
    done: t("members.removed", { name }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={t("members.removeTitle", { name })}
      description={t("members.removeText")}
      action={t("members.remove")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { memberIdOrEmail, organizationId } })}
      onClose={onClose}
    />
  );
};

/** Roles are separated by commas. */
export const isOwner = (role: string): boolean => role.split(",").includes(facts.ownerRole);

interface TransferProps extends MemberDialogProps {
  /** The membership of the signed-in owner. */
  own: Member;
}

/** Makes a member an owner, and then gives the signed-in owner another role. A failure in between leaves two owners. */
export const TransferOwnership = ({ member, own, onClose }: TransferProps) => {
  const t = useTranslation("organizations");
  const { organizationId, user } = member;
  const reread = useReread();
  const transfer = useChange({
    mutationFn: async (ownRole: string) => {
      const setRole = (memberId: string, role: string) =>
        call(updateMemberRole, { body: { memberId, role, organizationId } });
      await setRole(member.id, facts.ownerRole);
      if (!isOwner(ownRole)) await setRole(own.id, ownRole);
    },
    onSuccess: async () => {
      toasts.add({ title: t("transfer.done", { name: user.name }), type: "success" });
      onClose();
      await reread();
    },
  });
  const other = facts.organizationRoles.find((role) => role !== facts.ownerRole);
  const form = useForm({
    defaultValues: { role: other ?? facts.ownerRole },
    change: transfer,
    onSubmit: ({ role }) => transfer.mutate(role),
  });
  return (
    <FormDialog
      form={form}
      title={t("transfer.title", { name: user.name })}
      description={t("transfer.text", { name: user.name })}
      action={t("transfer.action")}
      isDangerous
      onClose={onClose}
    >
      <RoleField
        {...form.field("role")}
        organizationId={organizationId}
        label={t("transfer.ownRole")}
      />
    </FormDialog>
  );
};
