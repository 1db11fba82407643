import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../languages.ts";
import { Members } from "./members.tsx";
import type { PartProps, Invitation } from "./organization.ts";
import { type OrganizationTab, organizationTabs } from "./organization-tabs.ts";
import { Settings } from "./settings.tsx";
import { Teams } from "./teams.tsx";
import { Webhooks } from "./webhooks.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { facts } from "../../facts.ts";
import { RoleField } from "./role-field.tsx";

interface InviteMemberProps extends PartProps {
  onClose: () => void;
}

/** The role with the fewest permissions is usually the last one. */
const usualRole = facts.organizationRoles.includes("member")
  ? "member"
  : facts.organizationRoles.at(-1);

/** Invites someone by email. */
const InviteMember = ({ organization, onClose }: InviteMemberProps) => {
  const t = useTranslation("organizations");
  const { id: organizationId, teams } = organization;
  const invite = useOperation(operations.organization.inviteMember, {
    done: t("sent.done"),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: { email: "", role: usualRole ?? "", teamId: "" },
    change: invite,
    fieldOf: {
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "email",
      USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "email",
      YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "role",
    },
    onSubmit: ({ email, role, teamId }) =>
      invite.mutate({
        body: { email: email.trim(), role, organizationId, ...(teamId && { teamId }) },
      }),
  });
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
      <RoleField {...form.field("role")} />
      {teams && teams.length > 0 && (
        <SelectField
          {...form.field("teamId")}
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
      title={
        <>
          <bdi className="min-w-0 break-all">{showEmail(email)}</bdi>
          <Badge>{roleNames(role)}</Badge>
        </>
      }
      details={
        <>
          {t("sent.expires")} <Moment at={expiresAt} />
        </>
      }
      error={resend.error ?? cancel.error}
      actions={
        <>
          {may("invitation:create") && (
            <Button
              aria-label={t("sent.resendTo", { email: showEmail(email) })}
              isBusy={resend.isPending}
              onClick={() => resend.mutate({ body: { invitationId } })}
            >
              {t("sent.resend")}
            </Button>
          )}
          {may("invitation:cancel") && (
            <Button
              aria-label={t("sent.cancelOf", { email: showEmail(email) })}
              isBusy={cancel.isPending}
              onClick={() => cancel.mutate({ body: { invitationId } })}
            >
              {t("sent.cancel")}
            </Button>
          )}
        </>
      }
    />
  );
};

/** The pending invitations to an organization. */
const Invitations = ({ organization }: PartProps) => {
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

const { getFullOrganization, listTeams } = operations.organization;
const { listOrganizationWebhooks } = operations.webhooks;

const route = getRouteApi("/signed-in/organizations/$organizationId");

const parts: Record<OrganizationTab, (props: PartProps) => ReactNode> = {
  members: Members,
  invitations: Invitations,
  teams: Teams,
  webhooks: Webhooks,
  settings: Settings,
};

/** Returns whether a part is shown. The server allows webhooks only to some roles. */
const useIsShown = (organizationId: string): ((tab: OrganizationTab) => boolean) => {
  const takesWebhooks = isOffered(listOrganizationWebhooks);
  const may = usePermissions<"webhook:read">(organizationId, takesWebhooks ? ["webhook:read"] : []);
  return (tab) => {
    if (tab === "teams") return isOffered(listTeams);
    return tab !== "webhooks" || may("webhook:read");
  };
};

const Parts = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const { tab = "members" } = route.useSearch();
  const navigate = route.useNavigate();
  const isShown = useIsShown(organization.id);
  return (
    <Tabs
      label={t("tabs.label")}
      value={tab}
      onChange={(value) =>
        void navigate({
          search: { tab: organizationTabs.find((known) => known === value) },
          replace: true,
        })
      }
      tabs={organizationTabs.filter(isShown).map((name) => {
        const Part = parts[name];
        return {
          value: name,
          label: t(`tabs.${name}`),
          content: <Part organization={organization} />,
        };
      })}
    />
  );
};

/** Leads a member without a second factor to the place where one is set up. */
const SecondFactorRequired = () => {
  const t = useTranslation("organizations");
  return (
    <Panel title={t("secondFactor.title")} text={t("secondFactor.text")}>
      <div>
        <Link to="/security" className={buttonStyle("primary")}>
          {t("secondFactor.action")}
        </Link>
      </div>
    </Panel>
  );
};

const isSecondFactorRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "TWO_FACTOR_REQUIRED";

/** One organization of the user. */
export const OrganizationScreen = () => {
  const t = useTranslation("organizations");
  const { organizationId } = route.useParams();
  const organization = useQuery(operationQuery(getFullOrganization, { query: { organizationId } }));
  return (
    <Screen
      title={organization.data?.name ?? t("title")}
      lead={<TextLink to="/organizations">{t("back")}</TextLink>}
    >
      {isSecondFactorRequired(organization.error) ? (
        <SecondFactorRequired />
      ) : (
        <Reading of={organization}>
          {(data) => (data ? <Parts organization={data} /> : <p role="alert">{t("gone")}</p>)}
        </Reading>
      )}
    </Screen>
  );
};
