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
import { describeAgent } from "@latchkey/ui/describe-agent.ts";
import { UserLabel } from "../../components/users/user-label.tsx";
import type { User } from "./use-user.ts";

const { adminListUserSessions, adminRevokeUserSession } = operations.identity;

type Session = CallReply<typeof adminListUserSessions>["sessions"][number];

const columns: readonly TableColumn[] = [
  "Device",
  "IP address",
  { name: "Signed in", priority: "medium" },
  { name: "Last active", priority: "high" },
  { name: "Expires", priority: "low" },
  { name: "ID", priority: "low" },
  "Actions",
];

const shownMax = 200;

const Device = ({ session, isOwn }: { session: Session; isOwn: boolean }) => (
  <span className={classNames("flex items-center gap-2", session.impersonationReason && "py-1.5")}>
    <bdi title={session.userAgent} className="max-w-60 truncate font-medium">
      {describeAgent(session.userAgent)}
    </bdi>
    {isOwn && <Badge tone="accent">This browser</Badge>}
    {session.impersonatedBy && (
      <>
        <Badge tone="warning">Impersonated by</Badge>
        <span className="flex min-w-0 flex-col">
          <UserLabel id={session.impersonatedBy} isStacked />
          {session.impersonationReason && (
            <bdi
              title={session.impersonationReason}
              className="max-w-60 truncate text-xs text-muted"
            >
              Reason: {session.impersonationReason}
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
  const device = describeAgent(session.userAgent);
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
            <CopyId id={session.id} of={`the session of ${device}`} />
          </span>
        ),
        Actions: may("session:revoke") ? (
          <Button size="small" aria-label={`End the session of ${device}`} onClick={onEnd}>
            End
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
    title="End this session?"
    action="End session"
    done="Session ended."
    onClose={onClose}
  >
    <bdi>{describeAgent(session.userAgent)}</bdi>
    {session.ipAddress && ` at ${session.ipAddress}`} is signed out. Other sessions continue.
  </Confirm>
);

const SessionTable = ({ sessions }: { sessions: readonly Session[] }) => {
  const [ending, setEnding] = useState<Session>();
  return (
    <div className="rounded-lg border bg-surface">
      <Table label="sessions" columns={columns}>
        {sessions.slice(0, shownMax).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </Table>
      {sessions.length > shownMax && (
        <p className="border-t px-3 py-2 text-muted">
          The last {shownMax} of {sessions.length} are shown.
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
    return <EmptyState title="No active sessions">The next sign-in creates a session.</EmptyState>;
  return (
    <div className="flex flex-col gap-4">
      <StaleNotice reading={reading} />
      <SessionTable sessions={data} />
    </div>
  );
};
