import { operations } from "@latchkey/ui/api/contracts.ts";
import { isTyped } from "@latchkey/ui/components/is-typed.ts";
import { useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { TextField } from "../../components/fields.tsx";
import type { PartProps } from "./organization.ts";

const { deleteOrganization, leaveOrganization } = operations.organization;

interface EndDialogProps extends PartProps {
  onClose: () => void;
}

/** Ends the membership of the user. */
export const LeaveOrganization = ({ organization: { id, name }, onClose }: EndDialogProps) => {
  const { t } = useTranslation("organizations");
  const navigate = useNavigate();
  const leave = useAct(leaveOrganization, {
    done: t("settings.left", { name }),
    onDone: () => navigate({ to: "/organizations" }),
  });
  return (
    <FormDialog
      title={t("settings.leaveTitle", { name })}
      description={t("settings.leaveText")}
      action={t("settings.leave")}
      isDangerous
      change={leave}
      onSubmit={() => leave.mutate({ body: { organizationId: id } })}
      onClose={onClose}
    />
  );
};

/** Deletes an organization once its name has been typed. */
export const DeleteOrganization = ({ organization: { id, name }, onClose }: EndDialogProps) => {
  const { t } = useTranslation("organizations");
  const navigate = useNavigate();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { typed: "" } });
  const remove = useAct(deleteOrganization, {
    done: t("settings.deleted", { name }),
    onDone: () => navigate({ to: "/organizations" }),
  });
  return (
    <FormDialog
      title={t("settings.deleteTitle", { name })}
      description={t("settings.deleteText")}
      action={t("settings.delete")}
      isDangerous
      change={remove}
      onSubmit={handleSubmit(() => remove.mutate({ body: { organizationId: id } }))}
      onClose={onClose}
    >
      <TextField
        {...register("typed", {
          validate: (text) => isTyped(text, name) || t("settings.nameDiffers"),
        })}
        label={t("settings.typeName", { name })}
        error={formState.errors.typed?.message}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
    </FormDialog>
  );
};
