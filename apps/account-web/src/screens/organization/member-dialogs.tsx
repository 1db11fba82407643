import { operations } from "@latchkey/ui/api/contracts.ts";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import type { Member } from "./organization.ts";
import { RoleField } from "./role-field.tsx";

const { removeMember, updateMemberRole } = operations.organization;

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

export const ChangeRole = ({ member, onClose }: MemberDialogProps) => {
  const { t } = useTranslation("organizations");
  const { id: memberId, organizationId, user } = member;
  const { register, handleSubmit } = useForm({ defaultValues: { role: member.role } });
  const change = useAct(updateMemberRole, { done: t("members.roleChanged"), onDone: onClose });
  return (
    <FormDialog
      title={t("members.changeRoleOf", { name: user.name })}
      action={t("members.changeRole")}
      change={change}
      onSubmit={handleSubmit(({ role }) =>
        change.mutate({ body: { role, memberId, organizationId } }),
      )}
      onClose={onClose}
    >
      <RoleField {...register("role")} present={member.role} />
    </FormDialog>
  );
};

export const RemoveMember = ({ member, onClose }: MemberDialogProps) => {
  const { t } = useTranslation("organizations");
  const { id: memberIdOrEmail, organizationId } = member;
  const { name } = member.user;
  const remove = useAct(removeMember, { done: t("members.removed", { name }), onDone: onClose });
  return (
    <FormDialog
      title={t("members.removeTitle", { name })}
      description={t("members.removeText")}
      action={t("members.remove")}
      isDangerous
      change={remove}
      onSubmit={() => remove.mutate({ body: { memberIdOrEmail, organizationId } })}
      onClose={onClose}
    />
  );
};
