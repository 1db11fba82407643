import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Link } from "@tanstack/react-router";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useAccess } from "../../access/use-access.ts";
import { CutNotice } from "./cut-notice.tsx";
import { invitationState } from "./invitation-state.ts";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import type { NamedUser } from "../../components/users/use-named-user.ts";
import { UserLabel } from "../../components/users/user-label.tsx";
import type { Invitation, Organization } from "./use-organization.ts";
import { Confirm } from "../../components/confirm.tsx";
import { isUnderWay } from "../../components/mails/delivery-state.tsx";
import { t } from "../../texts.ts";

const { adminListInvitationMails } = operations.mailer;

type InvitationMail = CallReply<typeof adminListInvitationMails>["deliveries"][number];

const againMs = 5000;
/** The most invitations whose mails one request may read. */
const readMax = 100;

/**
 * Returns the latest mail of each of the latest pending invitations. Refreshes them while some are not delivered, because the mail of
 * an invitation that is sent again is a new one.
 */
const useInvitationMails = (
  invitations: readonly Invitation[],
): ReadonlyMap<string, InvitationMail> => {
  const { may } = useAccess();
  const invitationId = invitations
    .filter(({ status }) => status === "pending")
    .slice(-readMax)
    .map(({ id }) => id);
  const { data } = useQuery({
    ...operationQuery(adminListInvitationMails, { query: { invitationId } }),
    enabled: may("delivery:list") && invitationId.length > 0,
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => state === "failed" || isUnderWay(state))
        ? againEvery(againMs)(query)
        : false,
  });
  return new Map(data?.deliveries.map((mail) => [mail.invitationId, mail]));
};

/** Sends the mail of an invitation again. */
const useResendInvitation = ({ id, email, organizationId }: Invitation) => {
  const { mutate, isPending } = useOperation(operations.organization.adminResendInvitation, {
    done: t("userActions.resendInvitation.done", { email: showEmail(email) }),
  });
  const send = () => mutate({ params: { id: organizationId }, body: { invitationId: id } });
  return { send, isPending };
};

interface OneInvitation {
  invitation: Invitation;
  onClose: () => void;
}

const sent = ({ id, organizationId }: Invitation) => ({
  params: { id: organizationId },
  body: { invitationId: id },
});

const CancelDialog = ({ invitation, onClose }: OneInvitation) => (
  <Confirm
    operation={operations.organization.adminCancelInvitation}
    input={sent(invitation)}
    title={t("invitations.cancel.title", { email: showEmail(invitation.email) })}
    action={t("invitations.cancel.action")}
    done={t("invitations.cancel.done", { email: showEmail(invitation.email) })}
    onClose={onClose}
  >
    {t("invitations.cancel.text")}
  </Confirm>
);

/** The actions on a pending invitation. */
const InvitationMenu = ({ invitation }: { invitation: Invitation }) => {
  const [isCanceling, setIsCanceling] = useState(false);
  const { send } = useResendInvitation(invitation);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={t("invitations.actionsOn", { email: showEmail(invitation.email) })}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={send}>{t("invitations.resend")}</MenuItem>
        <MenuItem isDangerous onSelect={() => setIsCanceling(true)}>
          {t("invitations.cancel.button")}
        </MenuItem>
      </DropdownMenu>
      {isCanceling && (
        <CancelDialog invitation={invitation} onClose={() => setIsCanceling(false)} />
      )}
    </>
  );
};

const columns: readonly TableColumn[] = [
  t("common.email"),
  { name: t("common.roles"), priority: "medium" },
  t("common.state"),
  { name: t("common.expires"), priority: "medium" },
  { name: t("invitations.invitedBy"), priority: "low" },
  { name: t("common.id"), priority: "low" },
  t("common.actions"),
];

interface RowProps {
  invitation: Invitation;
  /** The inviter, if a shown member. */
  inviter: NamedUser | undefined;
  mayChange: boolean;
  /** Its latest mail, if known. */
  mail: InvitationMail | undefined;
}

/** Shows the reply of the SMTP server that did not accept the mail of an invitation, and sends it again. */
const Undelivered = ({ mail, invitation, mayChange }: RowProps & { mail: InvitationMail }) => {
  const resend = useResendInvitation(invitation);
  return (
    <>
      {mail.lastError !== null && (
        <bdi title={mail.lastError} className="line-clamp-2 break-words text-xs text-danger">
          {mail.lastError}
        </bdi>
      )}
      {mayChange && (
        <Button
          size="small"
          aria-label={t("invitations.resendOne", { email: showEmail(invitation.email) })}
          isBusy={resend.isPending}
          onClick={resend.send}
        >
          {t("invitations.resend")}
        </Button>
      )}
    </>
  );
};

/** Shows the state of an invitation, and for an open one whether its mail was not delivered. */
const State = (props: RowProps) => {
  const { invitation, mail } = props;
  const { label, tone, isOpen } = invitationState(invitation, useNow());
  const failed = isOpen && mail?.state === "failed" ? mail : undefined;
  if (!failed) return <Badge tone={tone}>{label}</Badge>;
  return (
    <span className="flex max-w-72 flex-col items-start gap-1 py-2 whitespace-normal">
      <span className="flex gap-1">
        <Badge tone={tone}>{label}</Badge>
        <Link to="/mail" search={{ id: failed.id }} className="rounded-sm hover:underline">
          <Badge tone="warning">{t("invitations.notDelivered")}</Badge>
        </Link>
      </span>
      <Undelivered {...props} mail={failed} />
    </span>
  );
};

const Row = (props: RowProps) => {
  const { invitation, inviter, mayChange } = props;
  const { isOpen } = invitationState(invitation, useNow());
  return (
    <TableRow
      cells={{
        address: (
          <bdi className="block max-w-80 truncate font-medium" title={showEmail(invitation.email)}>
            {showEmail(invitation.email)}
          </bdi>
        ),
        roles: <RoleBadges role={invitation.role} />,
        state: <State {...props} />,
        expires: <RelativeTime at={invitation.expiresAt} mayBeAhead isStacked />,
        inviter: (
          <span className="block max-w-60">
            <UserLabel id={invitation.inviterId} user={inviter} isStacked />
          </span>
        ),
        id: (
          <CopyId
            id={invitation.id}
            of={t("invitations.one", { email: showEmail(invitation.email) })}
            hidesId
          />
        ),
        actions: mayChange && isOpen ? <InvitationMenu invitation={invitation} /> : "–",
      }}
    />
  );
};

/** Lists the invitations of an organization and their states, latest first. */
export const Invitations = ({ organization }: { organization: Organization }) => {
  const { may } = useAccess();
  const { invitations, invitationCount, members } = organization;
  const mails = useInvitationMails(invitations);
  if (invitations.length === 0)
    return <EmptyState title={t("invitations.none")}>{t("invitations.noneText")}</EmptyState>;
  const inviters = new Map(members.map(({ userId, user }) => [userId, { ...user, id: userId }]));
  return (
    <>
      <CutNotice part="invitations.cut" shown={invitations.length} count={invitationCount} />
      <div className="rounded-lg border bg-surface">
        <Table label={t("invitations.list")} columns={columns}>
          {invitations.toReversed().map((invitation) => (
            <Row
              key={invitation.id}
              invitation={invitation}
              inviter={inviters.get(invitation.inviterId)}
              mayChange={may("organization:update")}
              mail={mails.get(invitation.id)}
            />
          ))}
        </Table>
      </div>
    </>
  );
};
