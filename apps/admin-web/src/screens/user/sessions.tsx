import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { agentText } from "../../components/agent-text.ts";
import { UserLabel } from "../../components/users/user-label.tsx";
import type { User } from "./use-user.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminListUserSessions, adminRevokeUserSession } = operations.identity;

type Session = CallReply<typeof adminListUserSessions>["sessions"][number];

const columns: readonly TableColumn[] = [
  t("sessions.device"),
  t("common.address"),
  { name: t("sessions.signedIn"), priority: "medium" },
  { name: t("sessions.lastActive"), priority: "high" },
  { name: t("common.expires"), priority: "low" },
  { name: t("common.id"), priority: "low" },
  t("common.actions"),
];

const shownMax = 200;

const Device = ({ session, isOwn }: { session: Session; isOwn: boolean }) => (
  <span className={classNames("flex items-center gap-2", session.impersonationReason && "py-1.5")}>
    <bdi title={session.userAgent} className="max-w-60 truncate font-medium">
      {agentText(session.userAgent)}
    </bdi>
    {isOwn && <Badge tone="accent">{t("sessions.thisBrowser")}</Badge>}
    {session.impersonatedBy && (
      <>
        <Badge tone="warning">{t("sessions.impersonatedBy")}</Badge>
        <span className="flex min-w-0 flex-col">
          <UserLabel id={session.impersonatedBy} isStacked />
          {session.impersonationReason && (
            <bdi
              title={session.impersonationReason}
              className="max-w-60 truncate text-xs text-muted"
            >
              {t("sessions.reason", { reason: session.impersonationReason })}
            </bdi>
          )}
        </span>
      </>
    )}
  </span>
);

interface SessionRowProps {
  session: Session;
  onEnd: () => void;
}

const SessionRow = ({ session, onEnd }: SessionRowProps) => {
  const { access, may } = useAccess();
  const device = agentText(session.userAgent);
  return (
    <TableRow
      cells={{
        Device: <Device session={session} isOwn={session.id === access?.session.id} />,
        "IP address": (
          <bdi title={session.ipAddress ?? undefined} className="block max-w-72 truncate">
            {session.ipAddress || "–"}
          </bdi>
        ),
        "Signed in": <RelativeTime at={session.createdAt} isStacked />,
        "Last active": <RelativeTime at={session.updatedAt} isStacked />,
        Expires: <RelativeTime at={session.expiresAt} mayBeAhead isStacked />,
        ID: (
          <span className="block max-w-36">
            <CopyId id={session.id} of={t("sessions.one", { device })} />
          </span>
        ),
        Actions: may("session:revoke") ? (
          <Button size="small" aria-label={t("sessions.end.one", { device })} onClick={onEnd}>
            {t("sessions.end.button")}
          </Button>
        ) : (
          "–"
        ),
      }}
    />
  );
};

interface EndSessionProps {
  session: Session;
  onClose: () => void;
}

const EndSession = ({ session, onClose }: EndSessionProps) => (
  <Confirm
    operation={adminRevokeUserSession}
    input={{ body: { sessionToken: session.token } }}
    title={t("sessions.end.title")}
    action={t("sessions.end.action")}
    done={t("sessions.end.done")}
    onClose={onClose}
  >
    {session.ipAddress
      ? richText("sessions.end.textAt", {
          device: <bdi>{agentText(session.userAgent)}</bdi>,
          address: session.ipAddress,
        })
      : richText("sessions.end.text", { device: <bdi>{agentText(session.userAgent)}</bdi> })}
  </Confirm>
);

const SessionTable = ({ sessions }: { sessions: readonly Session[] }) => {
  const [ending, setEnding] = useState<Session>();
  return (
    <div className="rounded-lg border bg-surface">
      <Table label={t("sessions.list")} columns={columns}>
        {sessions.slice(0, shownMax).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </Table>
      {sessions.length > shownMax && (
        <p className="border-t px-3 py-2 text-muted">
          {t("sessions.cut", { shown: shownMax, total: sessions.length })}
        </p>
      )}
      {ending && <EndSession session={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
};

/** Lists a user's sessions. */
export const Sessions = ({ user }: { user: User }) => {
  const reading = useQuery({
    ...operationQuery(adminListUserSessions, { body: { userId: user.id } }),
    select: ({ sessions }) =>
      sessions.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)),
  });
  const { data } = reading;
  if (!data) return <Unread reading={reading} className="h-32 w-full" />;
  if (data.length === 0)
    return <EmptyState title={t("sessions.none")}>{t("sessions.noneText")}</EmptyState>;
  return (
    <div className="flex flex-col gap-4">
      <StaleNotice reading={reading} />
      <SessionTable sessions={data} />
    </div>
  );
};
