import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { FormError } from "../../components/form-error.tsx";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";

const { acceptInvitation, listUserInvitations, rejectInvitation } = operations.organization;

type Invitation = CallReply<typeof listUserInvitations>[number];

const InvitationRow = ({ invitation }: { invitation: Invitation }) => {
  const { t } = useTranslation("organizations");
  const roleNames = useRoleNames();
  const { id, organizationName: name, role, expiresAt } = invitation;
  const accept = useAct(acceptInvitation, { done: t("invitations.accepted", { name }) });
  const decline = useAct(rejectInvitation, { done: t("invitations.declined") });
  const body = { invitationId: id };
  return (
    <Row
      mark={<Picture name={name} />}
      title={<bdi>{name}</bdi>}
      details={
        <>
          {t("invitations.text", { role: roleNames(role) })} <Moment at={expiresAt} />
        </>
      }
      error={accept.error ?? decline.error}
      actions={
        <>
          <Button
            kind="primary"
            aria-label={t("invitations.acceptOne", { name })}
            isBusy={accept.isPending}
            onClick={() => accept.mutate({ body })}
          >
            {t("invitations.accept")}
          </Button>
          <Button
            aria-label={t("invitations.declineOne", { name })}
            isBusy={decline.isPending}
            onClick={() => decline.mutate({ body })}
          >
            {t("invitations.decline")}
          </Button>
        </>
      }
    />
  );
};

/** The pending invitations to the user. Not shown without any. */
export const ReceivedInvitations = () => {
  const { t } = useTranslation("organizations");
  const { data, error } = useQuery(operationQuery(listUserInvitations, {}));
  if (error)
    return (
      <Panel title={t("invitations.title")}>
        <FormError error={error} />
      </Panel>
    );
  if (!data?.length) return null;
  return (
    <Panel title={t("invitations.title")}>
      <Rows label={t("invitations.title")}>
        {data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Rows>
    </Panel>
  );
};
