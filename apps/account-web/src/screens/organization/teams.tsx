import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { type FormOf, notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { OpenDialog as Dialog } from "../../components/account/open-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import { MemberPagination, useMemberPage } from "./member-pages.tsx";
import type { PartProps, Team } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";

const { createTeam, removeTeam, updateTeam } = operations.organization;

const NameField = ({ field }: Pick<FormOf<{ name: string }>, "field">) => {
  const t = useTranslation("organizations");
  return (
    <TextField
      {...field("name", { validate: notBlank(t("errors:required")) })}
      label={t("teams.name")}
      autoComplete="off"
      dir="auto"
    />
  );
};

interface CreateTeamProps {
  organizationId: string;
  onClose: () => void;
}

const CreateTeam = ({ organizationId, onClose }: CreateTeamProps) => {
  const t = useTranslation("organizations");
  const create = useOperation(createTeam, { done: t("teams.created"), onDone: onClose });
  const form = useForm({
    defaultValues: { name: "" },
    change: create,
    onSubmit: ({ name }) => create.mutate({ body: { name: name.trim(), organizationId } }),
  });
  return (
    <FormDialog form={form} title={t("teams.create")} action={t("teams.create")} onClose={onClose}>
      <NameField field={form.field} />
    </FormDialog>
  );
};

interface TeamDialogProps {
  team: Team;
  onClose: () => void;
}

const RenameTeam = ({ team, onClose }: TeamDialogProps) => {
  const t = useTranslation("organizations");
  const { id: teamId, organizationId } = team;
  const rename = useOperation(updateTeam, { done: t("teams.renamed"), onDone: onClose });
  const form = useForm({
    defaultValues: { name: team.name },
    change: rename,
    onSubmit: ({ name }) =>
      rename.mutate({ body: { teamId, data: { name: name.trim(), organizationId } } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("teams.renameOne", { name: team.name })}
      action={t("teams.rename")}
      onClose={onClose}
    >
      <NameField field={form.field} />
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

/** Lists the members of a team. They join it by an invitation to it. */
const TeamMembers = ({ team: { id, organizationId, name }, onClose }: TeamDialogProps) => {
  const t = useTranslation("organizations");
  const { page, onPrevious, onNext } = useMemberPage(organizationId, id);
  return (
    <Dialog title={name} onClose={onClose}>
      <Reading of={page}>
        {({ members, total }) => (
          <div className="flex flex-col gap-4">
            {members.length === 0 ? (
              <EmptyState title={t("teams.empty")} />
            ) : (
              <Rows label={t("tabs.members")}>
                {members.map(({ id: memberId, user }) => (
                  <Row
                    key={memberId}
                    mark={<Picture name={user.name} address={user.image} />}
                    title={<bdi>{user.name}</bdi>}
                    details={<bdi>{showEmail(user.email)}</bdi>}
                  />
                ))}
              </Rows>
            )}
            <MemberPagination
              total={total ?? members.length}
              onPrevious={onPrevious}
              onNext={onNext}
            />
          </div>
        )}
      </Reading>
    </Dialog>
  );
};

interface OpenDialog {
  Dialog: typeof RenameTeam;
  team: Team;
}

interface TeamRowProps {
  team: Team;
  memberCount: number;
  may: ReturnType<typeof usePermissions<"team:create" | "team:update" | "team:delete">>;
  onOpen: (open: OpenDialog) => void;
}

const TeamRow = ({ team, memberCount, may, onOpen }: TeamRowProps) => {
  const t = useTranslation("organizations");
  const { name } = team;
  return (
    <Row
      title={<bdi>{name}</bdi>}
      details={t("teams.count", { count: memberCount })}
      actions={
        <RowMenu name={name}>
          <MenuItem onSelect={() => onOpen({ Dialog: TeamMembers, team })}>
            {t("teams.show")}
          </MenuItem>
          {may("team:update") && (
            <MenuItem onSelect={() => onOpen({ Dialog: RenameTeam, team })}>
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
export const Teams = ({ organization: { id, teams, members } }: PartProps) => {
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
              memberCount={members.filter(({ teamId }) => teamId === team.id).length}
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
