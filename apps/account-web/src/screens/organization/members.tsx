import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";
import type { Member, PartProps } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { RoleField } from "./role-field.tsx";

const { removeMember, updateMemberRole } = operations.organization;

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

const ChangeRole = ({ member, onClose }: MemberDialogProps) => {
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
      <RoleField {...form.field("role")} present={member.role} />
    </FormDialog>
  );
};

const RemoveMember = ({ member, onClose }: MemberDialogProps) => {
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

interface OpenDialog {
  Dialog: typeof ChangeRole;
  member: Member;
}

interface MemberRowProps {
  member: Member;
  team: string | undefined;
  isOwn: boolean;
  may: ReturnType<typeof usePermissions<"member:update" | "member:delete">>;
  onOpen: (open: OpenDialog) => void;
}

const MemberRow = ({ member, team, isOwn, may, onOpen }: MemberRowProps) => {
  const t = useTranslation("organizations");
  const roleNames = useRoleNames();
  const { name, email, image } = member.user;
  return (
    <Row
      mark={<Picture name={name} address={image} />}
      title={
        <>
          <bdi>{name}</bdi>
          <Badge>{roleNames(member.role)}</Badge>
          {team && <Badge>{team}</Badge>}
          {isOwn && <Badge tone="success">{t("members.you")}</Badge>}
        </>
      }
      details={
        <>
          <bdi>{showEmail(email)}</bdi>
          <p>
            {t("members.joined")} <Moment at={member.createdAt} isDay />
          </p>
        </>
      }
      actions={
        <>
          {may("member:update") && (
            <Button
              aria-label={t("members.changeRoleOf", { name })}
              onClick={() => onOpen({ Dialog: ChangeRole, member })}
            >
              {t("members.changeRole")}
            </Button>
          )}
          {may("member:delete") && !isOwn && (
            <Button
              aria-label={t("members.removeOne", { name })}
              onClick={() => onOpen({ Dialog: RemoveMember, member })}
            >
              {t("members.remove")}
            </Button>
          )}
        </>
      }
    />
  );
};

/** The members of an organization, with their roles. */
export const Members = ({ organization: { id, members, teams } }: PartProps) => {
  const t = useTranslation("organizations");
  const { data: session } = useQuery(sessionQuery);
  const may = usePermissions(id, ["member:update", "member:delete"]);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel title={t("tabs.members")}>
      <Rows label={t("tabs.members")}>
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            team={teams?.find((team) => team.id === member.teamId)?.name}
            isOwn={member.userId === session?.user.id}
            may={may}
            onOpen={setOpen}
          />
        ))}
      </Rows>
      {open && <open.Dialog member={open.member} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
};
