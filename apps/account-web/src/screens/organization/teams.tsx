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
import type { Member, PartProps, Team } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";

const { addTeamMember, createTeam, listMembers, removeTeam, removeTeamMember, updateTeam } =
  operations.organization;

/** The most members that are offered at once, which is the most that a page has. */
const offeredMax = "1000";

/** Above this many teams, the members of each are counted only once they are shown. */
const countedTeamsMax = 20;

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

/** Adds a member of the organization to a team. */
const AddMember = ({ team, members }: { team: Team; members: readonly Member[] }) => {
  const t = useTranslation("organizations");
  const { id: teamId, organizationId } = team;
  const add = useOperation(addTeamMember, {
    done: t("teams.added"),
    onDone: (): void => form.reset(),
  });
  const form = useForm({
    defaultValues: { userId: "" },
    change: add,
    onSubmit: ({ userId }) => add.mutate({ body: { teamId, userId, organizationId } }),
  });
  return (
    <Form form={form} className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <SelectField
          {...form.field("userId", { validate: notBlank(t("errors:required")) })}
          className="min-w-0 flex-1"
          label={t("teams.add")}
          choices={[
            { value: "", label: t("teams.choose") },
            ...members.map(({ user }) => ({
              value: user.id,
              label: `${user.name} (${showEmail(user.email)})`,
            })),
          ]}
        />
        <Button type="submit" isBusy={add.isPending}>
          {t("teams.addAction")}
        </Button>
      </div>
    </Form>
  );
};

const TeamMemberMenu = ({ team, member }: { team: Team; member: Member }) => {
  const t = useTranslation("organizations");
  const remove = useOperation(removeTeamMember, {
    done: t("teams.memberRemoved"),
    showsError: true,
  });
  const { id: teamId, organizationId } = team;
  return (
    <RowMenu name={member.user.name} isBusy={remove.isPending}>
      <MenuItem
        isDangerous
        onSelect={() => remove.mutate({ body: { teamId, userId: member.userId, organizationId } })}
      >
        {t("teams.removeMember")}
      </MenuItem>
    </RowMenu>
  );
};

/** Lists the members of a team, adds members of the organization and takes them out. */
const TeamMembers = ({ team, onClose }: TeamDialogProps) => {
  const t = useTranslation("organizations");
  const { id, organizationId, name } = team;
  const may = usePermissions(organizationId, ["team:update"]);
  const { page, onPrevious, onNext } = useMemberPage(organizationId, id);
  const mayChange = may("team:update");
  const { data: everybody } = useQuery({
    ...operationQuery(listMembers, { query: { organizationId, limit: offeredMax } }),
    enabled: mayChange,
  });
  return (
    <Dialog title={name} onClose={onClose}>
      <Reading of={page}>
        {({ members, total }) => (
          <div className="flex flex-col gap-4">
            {mayChange && everybody && (
              <AddMember
                team={team}
                members={everybody.members.filter(
                  (one) => !members.some((other) => other.id === one.id),
                )}
              />
            )}
            {members.length === 0 ? (
              <EmptyState title={t("teams.empty")} />
            ) : (
              <Rows label={t("tabs.members")}>
                {members.map((member) => (
                  <Row
                    key={member.id}
                    mark={<Picture name={member.user.name} address={member.user.image} />}
                    title={<bdi>{member.user.name}</bdi>}
                    details={<bdi>{showEmail(member.user.email)}</bdi>}
                    actions={mayChange && <TeamMemberMenu team={team} member={member} />}
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
