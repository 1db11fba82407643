import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { agentText } from "../../components/agent-text.ts";
import { useAccess } from "../../access/use-access.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import { KeyStateBadge } from "../../components/api-keys/key-state-badge.tsx";
import { entryKey } from "../../components/audit/entry-key.ts";
import { Unread } from "../../components/errors/error-state.tsx";
import type { Reading } from "../../components/errors/stale-notice.tsx";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { methodText } from "../../components/users/sign-in-words.ts";
import { sentenceText } from "../../components/audit/audit-words.ts";
import type { SignInState } from "./sign-in-problem.ts";
import { useRecentEvents } from "./use-timeline.ts";
import type { UserTab } from "./user-search.ts";
import { type User, useSignInState } from "./use-user.ts";
import { listText, lowerText, t } from "../../texts.ts";

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

/** A card with the first rows of a list, and the way to its tab. */
const ShortList = ({ title, tab, reading, empty, children }: ShortListProps) => {
  const isRead = reading.data !== undefined;
  return (
    <Card
      title={title}
      actions={
        <route.Link
          to="."
          search={{ tab }}
          aria-label={t("users.showAllOf", { title })}
          className={buttonStyle("quiet", "small")}
        >
          {t("common.showAll")}
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

/** Says how and from where a user signed in, such as "With password from Firefox on Linux (192.0.2.1)". */
const signInSentence = (last: NonNullable<SignInState["lastSignIn"]>): string => {
  const { methods, userAgent, ipAddress } = last;
  const names = methods.map((method) => lowerText(methodText(method)));
  const how = { methods: listText(names) || t("overview.signIn.unknownMethod") };
  const device = userAgent === null ? undefined : agentText(userAgent);
  const address = ipAddress || undefined;
  if (device !== undefined && address !== undefined)
    return t("overview.signIn.deviceAndAddress", { ...how, device, address });
  if (device !== undefined) return t("overview.signIn.device", { ...how, device });
  return address === undefined
    ? t("overview.signIn.with", how)
    : t("overview.signIn.address", { ...how, address });
};

/** Shows when, how and from where a user last signed in. */
const LastSignIn = ({ userId }: { userId: string }) => {
  const reading = useSignInState(userId);
  const { data } = reading;
  const last = data?.lastSignIn;
  return (
    <Card title={t("users.lastSignIn")}>
      {!data && <Unread reading={reading} className="h-12 w-full" />}
      {data && !last && <p className="text-muted">{t("overview.noSignIn")}</p>}
      {last && (
        <>
          <p className="font-medium">
            <RelativeTime at={last.signedInAt} />
          </p>
          <p className="break-words text-muted" title={last.userAgent ?? undefined}>
            <bdi>{signInSentence(last)}</bdi>
          </p>
        </>
      )}
    </Card>
  );
};

/** Shows the first organizations of a user. */
const OrganizationsInBrief = ({ userId }: { userId: string }) => {
  const reading = useQuery(
    operationQuery(operations.organization.adminListUserOrganizations, {
      params: { id: userId },
      query: { limit: String(shownMax) },
    }),
  );
  return (
    <ShortList
      title={t("screens.organizations")}
      tab="access"
      reading={reading}
      empty={t("overview.noOrganization")}
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
const KeysInBrief = ({ userId }: { userId: string }) => {
  const reading = useQuery(
    operationQuery(operations.apikey.adminListApiKeys, {
      query: { userId, limit: String(shownMax), sortDirection: "desc" },
    }),
  );
  return (
    <ShortList
      title={t("screens.apiKeys")}
      tab="access"
      reading={reading}
      empty={t("apiKeys.none")}
    >
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

/** Shows the latest events of a user's account. The activity has those of all services. */
const EventsInBrief = ({ user }: { user: User }) => {
  const reading = useRecentEvents(user.id, shownMax);
  return (
    <ShortList
      title={t("overview.events")}
      tab="activity"
      reading={reading}
      empty={t("overview.noEvents")}
    >
      {(reading.data ?? []).map((entry) => (
        <li key={entryKey(entry)} className="break-words">
          <bdi className="block">{sentenceText(entry, user)}</bdi>
          <span className="text-sm text-muted">
            <RelativeTime at={entry.occurredAt} />
          </span>
        </li>
      ))}
    </ShortList>
  );
};

/** The most recent of everything that matters about a user. */
export const Overview = ({ user }: { user: User }) => {
  const { may } = useAccess();
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <LastSignIn userId={user.id} />
        {may("organization:list") && <OrganizationsInBrief userId={user.id} />}
        {may("apiKey:list") && <KeysInBrief userId={user.id} />}
      </div>
      {may("audit:list") && <EventsInBrief user={user} />}
    </div>
  );
};
