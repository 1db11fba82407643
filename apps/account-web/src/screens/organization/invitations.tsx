import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";
import { InviteMember } from "./invite-member.tsx";
import type { Invitation, PartProps } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";

const { cancelInvitation, resendInvitation } = operations.organization;

interface InvitationRowProps {
  invitation: Invitation;
  may: ReturnType<typeof usePermissions<"invitation:create" | "invitation:cancel">>;
}

const InvitationRow = ({ invitation, may }: InvitationRowProps) => {
  const { t } = useTranslation("organizations");
  const roleNames = useRoleNames();
  const { id: invitationId, email, role, expiresAt } = invitation;
  const resend = useAct(resendInvitation, { done: t("sent.resent") });
  const cancel = useAct(cancelInvitation, { done: t("sent.canceled") });
  return (
    <Row
      title={
        <>
          <bdi className="min-w-0 break-all">{email}</bdi>
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
              aria-label={t("sent.resendTo", { email })}
              isBusy={resend.isPending}
              onClick={() => resend.mutate({ body: { invitationId } })}
            >
              {t("sent.resend")}
            </Button>
          )}
          {may("invitation:cancel") && (
            <Button
              aria-label={t("sent.cancelOf", { email })}
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
export const Invitations = ({ organization }: PartProps) => {
  const { t } = useTranslation("organizations");
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
