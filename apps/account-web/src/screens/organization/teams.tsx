import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import type { SignUpField } from "@latchkey/contracts";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { type FormOf, notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Panel } from "../../components/account/panel.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import {
  AdditionalFields,
  fieldPaths,
} from "../../components/additional-fields/additional-fields.tsx";
import {
  changedValues,
  type FieldTexts,
  fieldValues,
  storedTexts,
} from "../../components/additional-fields/field-values.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { PartProps, Team } from "./organization.ts";
import { type TeamDialogProps, TeamMembers } from "./team-members.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";

const { createTeam, listMembers, removeTeam, updateTeam } = operations.organization;

/** Above this many teams, the members of each are counted only once they are shown. */
const countedTeamsMax = 20;

const allFields = facts.organizationFields.team;
const shownFields = allFields.filter(({ returned }) => returned);

interface TeamValues {
  name: string;
  fields: FieldTexts;
}

interface TeamFieldsProps extends Pick<FormOf<TeamValues>, "field"> {
  fields: readonly SignUpField[];
}

const TeamFields = ({ field, fields }: TeamFieldsProps) => {
  const t = useTranslation("organizations");
  return (
    <>
      <TextField
        {...field("name", { validate: notBlank(t("errors:required")) })}
        label={t("teams.name")}
        autoComplete="off"
        dir="auto"
      />
      <AdditionalFields field={field} fields={fields} />
    </>
  );
};

interface CreateTeamProps {
  organizationId: string;
  onClose: () => void;
}

const CreateTeam = ({ organizationId, onClose }: CreateTeamProps) => {
  const t = useTranslation("organizations");
  const create = useOperation(createTeam, { done: t("teams.created"), onDone: onClose });
  const form = useForm<TeamValues>({
    defaultValues: { name: "", fields: {} },
    change: create,
    fieldOf: fieldPaths(allFields),
    onSubmit: ({ name, fields }) =>
      create.mutate({
        body: { ...fieldValues(allFields, fields), name: name.trim(), organizationId },
      }),
  });
  return (
    <FormDialog form={form} title={t("teams.create")} action={t("teams.create")} onClose={onClose}>
      <TeamFields field={form.field} fields={allFields} />
    </FormDialog>
  );
};

/** Changes the name of a team, and its additional fields. */
const ChangeTeam = ({ team, onClose }: TeamDialogProps) => {
  const t = useTranslation("organizations");
  const { id: teamId, organizationId } = team;
  const change = useOperation(updateTeam, { done: t("teams.renamed"), onDone: onClose });
  const form = useForm<TeamValues>({
    defaultValues: { name: team.name, fields: storedTexts(shownFields, team) },
    change,
    fieldOf: fieldPaths(shownFields),
    onSubmit: ({ name, fields }) => {
      const extra = changedValues(shownFields, fields, team);
      return change.mutate({
        body: { teamId, data: { ...extra, name: name.trim(), organizationId } },
      });
    },
  });
  return (
    <FormDialog
      form={form}
      title={t("teams.renameOne", { name: team.name })}
      action={t("teams.rename")}
      onClose={onClose}
    >
      <TeamFields field={form.field} fields={shownFields} />
    </FormDialog>
  );
};

const DeleteTeam = ({ team, onClose }: TeamDialogProps) => {
  const t = useTranslation("organizations");
  const { id: teamId, organizationId, name } = team;
  const remove = useOperation(removeTeam, { done: t("teams.deleted"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("teams.deleteTitle", { name })}
      description={t("teams.deleteText")}
      action={t("teams.delete")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { teamId, organizationId } })}
      onClose={onClose}
    />
  );
};

interface OpenDialog {
  Dialog: typeof ChangeTeam;
  team: Team;
}

interface TeamRowProps {
  team: Team;
  isCounted: boolean;
  may: ReturnType<typeof usePermissions<"team:create" | "team:update" | "team:delete">>;
  onOpen: (open: OpenDialog) => void;
}

const TeamRow = ({ team, isCounted, may, onOpen }: TeamRowProps) => {
  const t = useTranslation("organizations");
  const { id, name, organizationId } = team;
  const filter = { filterField: "teamId", filterValue: id, limit: "1" } as const;
  const { data } = useQuery({
    ...operationQuery(listMembers, { query: { organizationId, ...filter } }),
    enabled: isCounted,
  });
  return (
    <Row
      title={<bdi>{name}</bdi>}
      details={data && t("teams.count", { count: data.total ?? data.members.length })}
      actions={
        <RowMenu name={name}>
          <MenuItem onSelect={() => onOpen({ Dialog: TeamMembers, team })}>
            {t("teams.show")}
          </MenuItem>
          {may("team:update") && (
            <MenuItem onSelect={() => onOpen({ Dialog: ChangeTeam, team })}>
              {t("teams.rename")}
            </MenuItem>
          )}
          {may("team:delete") && (
            <MenuItem isDangerous onSelect={() => onOpen({ Dialog: DeleteTeam, team })}>
              {t("teams.delete")}
            </MenuItem>
          )}
        </RowMenu>
      }
    />
  );
};

/** The teams of an organization. */
export const Teams = ({ organization: { id, teams } }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(id, ["team:create", "team:update", "team:delete"]);
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel
      title={t("tabs.teams")}
      actions={
        may("team:create") && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            {t("teams.create")}
          </Button>
        )
      }
    >
      {teams?.length ? (
        <Rows label={t("tabs.teams")}>
          {teams.map((team) => (
            <TeamRow
              key={team.id}
              team={team}
              isCounted={teams.length <= countedTeamsMax}
              may={may}
              onOpen={setOpen}
            />
          ))}
        </Rows>
      ) : (
        <EmptyState title={t("teams.none")} />
      )}
      {isCreating && <CreateTeam organizationId={id} onClose={() => setIsCreating(false)} />}
      {open && <open.Dialog team={open.team} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
};
