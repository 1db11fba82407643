import { showEmail } from "@latchkey/contracts/email-address.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { CheckField, TextField } from "@latchkey/ui/components/fields.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useState } from "react";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import {
  AdditionalFields,
  fieldPaths,
} from "../../components/additional-fields/additional-fields.tsx";
import { type FieldTexts, fieldValues } from "../../components/additional-fields/field-values.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { Invitation, PartProps, Team } from "./organization.ts";
import { RoleField } from "./role-field.tsx";

interface InviteMemberProps extends PartProps {
  onClose: () => void;
}

/** The role with the fewest permissions is usually the last one. */
const usualRole = facts.organizationRoles.includes("member")
  ? "member"
  : facts.organizationRoles.at(-1);

interface TeamChoiceProps {
  teams: readonly Team[];
  chosen: readonly string[];
  onChange: (teamIds: readonly string[]) => void;
}

/** Chooses the teams that an invited person joins. */
const TeamChoice = ({ teams, chosen, onChange }: TeamChoiceProps) => {
  const t = useTranslation("organizations");
  return (
    <fieldset className="flex max-h-48 flex-col gap-1 overflow-y-auto">
      <legend className="mb-1 font-medium">{t("tabs.teams")}</legend>
      {teams.map(({ id, name }) => (
        <CheckField
          key={id}
          label={<bdi>{name}</bdi>}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
        />
      ))}
    </fieldset>
  );
};

const fields = facts.organizationFields.invitation;

interface InviteValues {
  email: string;
  role: string;
  teamIds: readonly string[];
  fields: FieldTexts;
}

/** Invites someone by email. */
export const InviteMember = ({ organization, onClose }: InviteMemberProps) => {
  const t = useTranslation("organizations");
  const { id: organizationId, teams } = organization;
  const invite = useOperation(operations.organization.inviteMember, {
    done: t("sent.done"),
    onDone: onClose,
  });
  const form = useForm<InviteValues>({
    defaultValues: { email: "", role: usualRole ?? "", teamIds: [], fields: {} },
    change: invite,
    fieldOf: {
      ...fieldPaths(fields),
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "email",
      USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "email",
      YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "role",
    },
    onSubmit: ({ email, role, teamIds, fields: texts }) =>
      invite.mutate({
        body: {
          ...fieldValues(fields, texts),
          email: email.trim(),
          role,
          organizationId,
          ...(teamIds.length > 0 && { teamId: [...teamIds] }),
        },
      }),
  });
  const chosenTeams = form.choice("teamIds");
  return (
    <FormDialog
      form={form}
      title={t("sent.inviteTitle")}
      description={t("sent.inviteText")}
      action={t("sent.invite")}
      onClose={onClose}
    >
      <TextField
        {...form.field("email", {
          validate: (email) => looksLikeEmail(email) || t("sent.enterEmail"),
        })}
        label={t("sent.email")}
        type="email"
        autoComplete="off"
        dir="ltr"
      />
      <RoleField {...form.field("role")} organizationId={organizationId} />
      {teams && teams.length > 0 && (
        <TeamChoice teams={teams} chosen={chosenTeams.value} onChange={chosenTeams.onChange} />
      )}
      <AdditionalFields field={form.field} fields={fields} />
    </FormDialog>
  );
};

const { cancelInvitation, resendInvitation } = operations.organization;

interface InvitationRowProps {
  invitation: Invitation;
  may: ReturnType<typeof usePermissions<"invitation:create" | "invitation:cancel">>;
}

const InvitationRow = ({ invitation, may }: InvitationRowProps) => {
  const t = useTranslation("organizations");
  const roleNames = useRoleNames();
  const { id: invitationId, email, role, expiresAt } = invitation;
  const resend = useOperation(resendInvitation, { done: t("sent.resent") });
  const cancel = useOperation(cancelInvitation, { done: t("sent.canceled") });
  return (
    <Row
      title={<bdi>{showEmail(email)}</bdi>}
      badges={<Badge>{roleNames(role)}</Badge>}
      details={
        <>
          {t("sent.expires")} <Moment at={expiresAt} />
        </>
      }
      error={resend.error ?? cancel.error}
      actions={
        (may("invitation:create") || may("invitation:cancel")) && (
          <RowMenu name={showEmail(email)} isBusy={resend.isPending || cancel.isPending}>
            {may("invitation:create") && (
              <MenuItem onSelect={() => resend.mutate({ body: { invitationId } })}>
                {t("sent.resend")}
              </MenuItem>
            )}
            {may("invitation:cancel") && (
              <MenuItem isDangerous onSelect={() => cancel.mutate({ body: { invitationId } })}>
                {t("sent.cancel")}
              </MenuItem>
            )}
          </RowMenu>
        )
      }
    />
  );
};

/** The pending invitations to an organization. */
export const Invitations = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(organization.id, ["invitation:create", "invitation:cancel"]);
  const [isInviting, setIsInviting] = useState(false);
  const pending = organization.invitations.filter(({ status }) => status === "pending");
  return (
    <Panel
      title={t("tabs.invitations")}
      actions={
        may("invitation:create") && (
          <Button kind="primary" onClick={() => setIsInviting(true)}>
            {t("sent.invite")}
          </Button>
        )
      }
    >
      {pending.length === 0 ? (
        <EmptyState title={t("sent.none")} />
      ) : (
        <Rows label={t("tabs.invitations")}>
          {pending.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} may={may} />
          ))}
        </Rows>
      )}
      {isInviting && (
        <InviteMember organization={organization} onClose={() => setIsInviting(false)} />
      )}
    </Panel>
  );
};
