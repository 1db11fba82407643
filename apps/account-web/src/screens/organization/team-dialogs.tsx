import { operations } from "@latchkey/ui/api/contracts.ts";
import { useForm, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { TextField } from "../../components/fields.tsx";
import type { Team } from "./organization.ts";

const { createTeam, removeTeam, updateTeam } = operations.organization;

const NameField = ({ register, formState }: UseFormReturn<{ name: string }>) => {
  const { t } = useTranslation(["organizations", "errors"]);
  return (
    <TextField
      {...register("name", { validate: (text) => text.trim() !== "" || t("errors:required") })}
      label={t("teams.name")}
      error={formState.errors.name?.message}
      autoComplete="off"
      dir="auto"
    />
  );
};

interface CreateTeamProps {
  organizationId: string;
  onClose: () => void;
}

export const CreateTeam = ({ organizationId, onClose }: CreateTeamProps) => {
  const { t } = useTranslation("organizations");
  const form = useForm({ defaultValues: { name: "" } });
  const create = useAct(createTeam, { done: t("teams.created"), onDone: onClose });
  return (
    <FormDialog
      title={t("teams.create")}
      action={t("teams.create")}
      change={create}
      onSubmit={form.handleSubmit(({ name }) =>
        create.mutate({ body: { name: name.trim(), organizationId } }),
      )}
      onClose={onClose}
    >
      <NameField {...form} />
    </FormDialog>
  );
};

interface TeamDialogProps {
  team: Team;
  onClose: () => void;
}

export const RenameTeam = ({ team, onClose }: TeamDialogProps) => {
  const { t } = useTranslation("organizations");
  const { id: teamId, organizationId } = team;
  const form = useForm({ defaultValues: { name: team.name } });
  const rename = useAct(updateTeam, { done: t("teams.renamed"), onDone: onClose });
  return (
    <FormDialog
      title={t("teams.renameOne", { name: team.name })}
      action={t("teams.rename")}
      change={rename}
      onSubmit={form.handleSubmit(({ name }) =>
        rename.mutate({ body: { teamId, data: { name: name.trim(), organizationId } } }),
      )}
      onClose={onClose}
    >
      <NameField {...form} />
    </FormDialog>
  );
};

export const DeleteTeam = ({ team, onClose }: TeamDialogProps) => {
  const { t } = useTranslation("organizations");
  const { id: teamId, organizationId, name } = team;
  const remove = useAct(removeTeam, { done: t("teams.deleted"), onDone: onClose });
  return (
    <FormDialog
      title={t("teams.deleteTitle", { name })}
      description={t("teams.deleteText")}
      action={t("teams.delete")}
      isDangerous
      change={remove}
      onSubmit={() => remove.mutate({ body: { teamId, organizationId } })}
      onClose={onClose}
    />
  );
};
