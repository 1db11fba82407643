import { Ellipsis, UserMinus } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { TeamForm } from "./team-form.tsx";
import type { Team, Member } from "./use-organization.ts";
import { Unread } from "../../components/errors/error-state.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { CutNotice } from "./cut-notice.tsx";
import { MemberPicker } from "./member-picker.tsx";
import { t } from "../../texts.ts";

const { adminAddTeamMember, adminListOrganizationMembers, adminRemoveTeamMember } =
  operations.organization;

const shownMax = 100;

/** Adds a member of the organization to the team. */
const AddTeamMember = ({ team }: { team: Team }) => {
  const add = useOperation(adminAddTeamMember, {
    showsError: true,
    done: (): string =>
      t("teams.members.joined", {
        member: form.getValues("member")?.label ?? t("teams.members.theMember"),
        team: team.name,
      }),
    onDone: (): void => form.reset(),
  });
  const form = useForm<{ member: Choice | null }>({
    defaultValues: { member: null },
    change: add,
    fieldOf: { MEMBER_NOT_FOUND: "member", memberId: "member" },
    onSubmit: ({ member }) =>
      add.mutate({
        params: { id: team.organizationId },
        body: { teamId: team.id, memberId: member?.value ?? "" },
      }),
  });
  form.register("member", { validate: (member) => member !== null || t("teams.members.choose") });
  return (
    <Form form={form} className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <Field
          className="min-w-0 flex-1"
          label={t("teams.members.add")}
          description={t("teams.members.addHint")}
          error={form.errorOf("member")}
        >
          <MemberPicker organizationId={team.organizationId} {...form.choice("member")} />
        </Field>
        <span className="pt-6">
          <Button type="submit" isBusy={add.isPending}>
            {t("teams.members.addAction")}
          </Button>
        </span>
      </div>
    </Form>
  );
};

const TeamMemberRow = ({ team, member }: { team: Team; member: Member }) => {
  const { email } = member.user;
  const remove = useOperation(adminRemoveTeamMember, {
    done: t("teams.members.left", { member: showEmail(email), team: team.name }),
  });
  return (
    <li className="flex min-h-11 items-center justify-between gap-3 border-b px-3 last:border-b-0">
      <Link
        to="/users/$userId"
        params={{ userId: member.userId }}
        className="min-w-0 truncate rounded-sm font-medium hover:underline"
      >
        <bdi>{showEmail(email)}</bdi>
      </Link>
      <IconButton
        label={t("teams.members.removeOne", { member: showEmail(email) })}
        disabled={remove.isPending}
        onClick={() =>
          remove.mutate({
            params: { id: team.organizationId },
            body: { teamId: team.id, memberId: member.id },
          })
        }
      >
        <UserMinus />
      </IconButton>
    </li>
  );
};

const TeamMemberList = ({ team }: { team: Team }) => {
  const reading = useQuery(
    operationQuery(adminListOrganizationMembers, {
      params: { id: team.organizationId },
      query: { teamId: team.id, limit: String(shownMax) },
    }),
  );
  const { data } = reading;
  if (!data) return <Unread reading={reading} className="h-24 w-full" />;
  return (
    <>
      <StaleNotice reading={reading} />
      <CutNotice
        part="teams.members.cut"
        shown={data.members.length}
        count={data.total ?? data.members.length}
      />
      {data.members.length === 0 && <p className="text-muted">{t("teams.members.none")}</p>}
      {data.members.length > 0 && (
        <ul aria-label={t("teams.members.list")} className="rounded-md border">
          {data.members.map((member) => (
            <TeamMemberRow key={member.id} team={team} member={member} />
          ))}
        </ul>
      )}
    </>
  );
};

interface TeamMembersProps {
  team: Team;
  onClose: () => void;
}

/** Lists the members of a team, adds members of the organization, and takes them out. */
const TeamMembers = ({ team, onClose }: TeamMembersProps) => (
  <Drawer
    title={t("teams.members.of", { team: team.name })}
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    <div className="flex flex-col gap-5">
      <AddTeamMember team={team} />
      <TeamMemberList team={team} />
    </div>
  </Drawer>
);

interface OneTeam {
  team: Team;
  onClose: () => void;
}

const { adminUpdateTeam, adminRemoveTeam } = operations.organization;

const RenameDialog = ({ team, onClose }: OneTeam) => (
  <TeamForm
    operation={adminUpdateTeam}
    inputOf={({ name, fields }) => ({
      params: { id: team.organizationId },
      body: { teamId: team.id, name, data: fields },
    })}
    title={t("teams.rename.title")}
    action={t("teams.rename.action")}
    team={team}
    done={(name) => t("teams.rename.done", { name })}
    onClose={onClose}
  />
);

const RemoveDialog = ({ team, onClose }: OneTeam) => (
  <Confirm
    operation={adminRemoveTeam}
    input={{ params: { id: team.organizationId }, body: { teamId: team.id } }}
    title={t("common.removeQuestion", { name: team.name })}
    action={t("teams.remove.action")}
    done={t("common.removed", { name: team.name })}
    onClose={onClose}
  >
    {t("teams.remove.text")}
  </Confirm>
);

/** The actions on a team. */
export const TeamMenu = ({ team }: { team: Team }) => {
  const [openDialog, setOpenDialog] = useState<"members" | "rename" | "remove">();
  const onClose = () => setOpenDialog(undefined);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={t("common.actionsOn", { name: team.name })}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpenDialog("members")}>{t("teams.members.button")}</MenuItem>
        <MenuItem onSelect={() => setOpenDialog("rename")}>{t("teams.rename.button")}</MenuItem>
        <MenuItem isDangerous onSelect={() => setOpenDialog("remove")}>
          {t("members.remove.button")}
        </MenuItem>
      </DropdownMenu>
      {openDialog === "members" && <TeamMembers team={team} onClose={onClose} />}
      {openDialog === "rename" && <RenameDialog team={team} onClose={onClose} />}
      {openDialog === "remove" && <RemoveDialog team={team} onClose={onClose} />}
    </>
  );
};
