import { operations } from "@latchkey/ui/api/contracts.ts";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { SelectField } from "../../components/account/select-field.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { looksLikeEmail } from "../../components/email-rule.ts";
import { TextField } from "../../components/fields.tsx";
import { facts } from "../../facts.ts";
import type { PartProps } from "./organization.ts";
import { RoleField } from "./role-field.tsx";

interface InviteMemberProps extends PartProps {
  onClose: () => void;
}

/** The role with the fewest permissions is usually the last one. */
const usualRole = facts.organizationRoles.includes("member")
  ? "member"
  : facts.organizationRoles.at(-1);

/** Invites someone by email. */
export const InviteMember = ({ organization, onClose }: InviteMemberProps) => {
  const { t } = useTranslation("organizations");
  const { id: organizationId, teams } = organization;
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: "", role: usualRole ?? "", teamId: "" },
  });
  const invite = useAct(operations.organization.inviteMember, {
    done: t("sent.done"),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t("sent.inviteTitle")}
      description={t("sent.inviteText")}
      action={t("sent.invite")}
      change={invite}
      onSubmit={handleSubmit(({ email, role, teamId }) =>
        invite.mutate({
          body: { email: email.trim(), role, organizationId, ...(teamId && { teamId }) },
        }),
      )}
      onClose={onClose}
    >
      <TextField
        {...register("email", {
          validate: (email) => looksLikeEmail(email) || t("sent.enterEmail"),
        })}
        label={t("sent.email")}
        error={formState.errors.email?.message}
        type="email"
        autoComplete="off"
        dir="ltr"
      />
      <RoleField {...register("role")} />
      {teams && teams.length > 0 && (
        <SelectField
          {...register("teamId")}
          label={t("sent.team")}
          choices={[
            { value: "", label: t("sent.noTeam") },
            ...teams.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
    </FormDialog>
  );
};
