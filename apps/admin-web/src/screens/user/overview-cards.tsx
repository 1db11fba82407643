import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import { KeyStateBadge } from "../../components/api-keys/key-state-badge.tsx";
import { entryKey } from "../../components/audit/entry-key.ts";
import { describeAgent } from "@latchkey/ui/describe-agent.ts";
import { Unread } from "../../components/errors/error-state.tsx";
import type { Reading } from "../../components/errors/stale-notice.tsx";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { actionText } from "./action-text.ts";
import { useSignInState } from "./use-sign-in-state.ts";
import { useRecentEvents } from "./use-timeline.ts";
import type { UserTab } from "./user-search.ts";

const route = getRouteApi("/shell/users/$userId");

/** The rows of each list on the overview. Its tab shows all of them. */
const shownMax = 5;

interface ShortListProps {
  title: string;
  tab: UserTab;
  reading: Reading & { error: Error | null };
  empty: string;
  children: readonly ReactNode[];
}

/** A card with the first rows of a tab, and the way to it. */
const ShortList = ({ title, tab, reading, empty, children }: ShortListProps) => {
  const isRead = reading.data !== undefined;
  return (
    <Card
      title={title}
      actions={
        <route.Link
          to="."
          search={{ tab }}
          aria-label={`Show all: ${title}`}
          className={buttonStyle("quiet", "small")}
        >
          Show all
        </route.Link>
      }
    >
      {!isRead && <Unread reading={reading} className="h-12 w-full" />}
      {isRead && children.length === 0 && <p className="text-muted">{empty}</p>}
      {isRead && children.length > 0 && (
        <ul aria-label={title} className="flex flex-col gap-1.5">
          {children}
        </ul>
      )}
    </Card>
  );
};

const rowStyle = "flex min-w-0 items-center justify-between gap-3";
const linkStyle = "min-w-0 truncate rounded-sm font-medium hover:underline";

/** Shows when, how and from where a user last signed in. */
export const LastSignIn = ({ userId }: { userId: string }) => {
  const reading = useSignInState(userId);
  const { data } = reading;
  const last = data?.lastSignIn;
  return (
    <Card title="Last sign-in">
      {!data && <Unread reading={reading} className="h-16 w-full" />}
      {data && !last && <p className="text-muted">No sign-in recorded.</p>}
      {last && (
        <Facts
          facts={{
            When: <RelativeTime at={last.signedInAt} />,
            Method: (
              <span className="flex flex-wrap gap-1">
                {last.methods.map((method) => (
                  <Badge key={method}>{method}</Badge>
                ))}
                {last.methods.length === 0 && "–"}
              </span>
            ),
            ...(last.userAgent !== null && {
              Device: <bdi title={last.userAgent}>{describeAgent(last.userAgent)}</bdi>,
            }),
            ...(last.ipAddress !== null && { "IP address": <bdi>{last.ipAddress || "–"}</bdi> }),
          }}
        />
      )}
    </Card>
  );
};

/** Shows the first organizations of a user. */
export const OrganizationsInBrief = ({ userId }: { userId: string }) => {
  const reading = useQuery(
    operationQuery(operations.organization.adminListUserOrganizations, {
      params: { id: userId },
      query: { limit: String(shownMax) },
    }),
  );
  return (
    <ShortList
      title="Organizations"
      tab="organizations"
      reading={reading}
      empty="Not a member of any organization"
    >
      {(reading.data?.organizations ?? []).map(({ id, name, role }) => (
        <li key={id} className={rowStyle}>
          <Link
            to="/organizations/$organizationId"
            params={{ organizationId: id }}
            className={linkStyle}
          >
            <bdi>{name}</bdi>
          </Link>
          <RoleBadges role={role} />
        </li>
      ))}
    </ShortList>
  );
};

/** Shows the newest API keys of a user. */
export const KeysInBrief = ({ userId }: { userId: string }) => {
  const reading = useQuery(
    operationQuery(operations.apikey.adminListApiKeys, {
      query: { userId, limit: String(shownMax), sortDirection: "desc" },
    }),
  );
  return (
    <ShortList title="API keys" tab="api-keys" reading={reading} empty="No API keys">
      {(reading.data?.apiKeys ?? []).map((apiKey) => (
        <li key={apiKey.id} className={rowStyle}>
          <Link to="/api-keys/$keyId" params={{ keyId: apiKey.id }} className={linkStyle}>
            <bdi>{keyName(apiKey)}</bdi>
          </Link>
          <KeyStateBadge apiKey={apiKey} />
        </li>
      ))}
    </ShortList>
  );
};

/** Shows the latest events of a user. The timeline has all of them. */
export const EventsInBrief = ({ userId }: { userId: string }) => {
  const reading = useRecentEvents(userId, shownMax);
  return (
    <ShortList title="Recent events" tab="timeline" reading={reading} empty="No events">
      {(reading.data ?? []).map((entry) => (
        <li key={entryKey(entry)} className={rowStyle}>
          <span className="min-w-0 truncate font-medium">{actionText(entry.action)}</span>
          <span className="text-muted">
            <RelativeTime at={entry.occurredAt} />
          </span>
        </li>
      ))}
    </ShortList>
  );
};
