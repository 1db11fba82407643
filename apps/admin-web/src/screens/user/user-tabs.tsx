import type { ReactNode } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import type { Permission } from "../../access/access.ts";
import { Accounts } from "./accounts.tsx";
import { OwnedKeys } from "../../components/api-keys/owned-keys.tsx";
import { Organizations } from "./organizations.tsx";
import { Overview } from "./overview.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Profile } from "./profile/profile.tsx";
import { signInAccounts } from "./sign-in-accounts.ts";
import { Sessions } from "./sessions.tsx";
import { UserTimeline } from "./timeline.tsx";
import type { UserDetail, User } from "./use-user.ts";
import type { UserSearch, UserTab } from "./user-search.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import { type Delivery, mailList } from "../../components/mails/mail-list.ts";

const column = columnsOf<Delivery>();

const wayTo = ({ id, recipient }: Delivery) =>
  ({ to: "/mail", search: { q: recipient.slice(0, 255), id } }) as const;

const columns = column.columns([
  column.display({
    id: "subject",
    header: "Subject",
    enableHiding: false,
    cell: ({ row: { original } }) => (
      <Link {...wayTo(original)} className="rounded-sm font-medium hover:underline">
        <bdi>{original.subject}</bdi>
      </Link>
    ),
  }),
  column.display({
    id: "recipient",
    header: "To",
    meta: { priority: "medium" },
    cell: ({ row }) => <bdi>{showEmail(row.original.recipient)}</bdi>,
  }),
  column.display({
    id: "state",
    header: "State",
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => <DeliveryState state={row.original.state} />,
  }),
  column.display({
    id: "lastError",
    header: "Error",
    meta: { priority: "low" },
    cell: ({ row: { original } }) => (
      <bdi title={original.lastError ?? ""}>{original.lastError}</bdi>
    ),
  }),
  column.display({
    id: "createdAt",
    header: "Requested",
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);

const rowId = ({ id }: Delivery) => id;

interface MailsProps {
  user: User;
  search: UserSearch;
}

/** Lists the mails to a user's address. */
const Mails = ({ user, search: given }: MailsProps) => {
  const search = newestFirst(given);
  const state = { ...useTableSearch(given), search };
  const navigate = useNavigate();
  const input = {
    query: { ...pageOf({ dir: search.dir, cursor: search.cursor }), recipientIs: user.email },
  };
  const page = useQuery(mailList.query(input));
  return (
    <DataTable<Delivery>
      name="user-mails"
      noun={["email", "emails"]}
      columns={columns}
      page={page}
      state={state}
      rowId={rowId}
      rowLabel={({ subject }) => subject}
      onOpen={(delivery) => void navigate(wayTo(delivery))}
      exported={mailList.exported(input)}
      empty={
        <EmptyState title="No emails">
          No email was sent to this user in the last 30 days.
        </EmptyState>
      }
    />
  );
};

interface UserTabContent {
  readonly value: UserTab;
  readonly label: string;
  /** The tab is hidden without this permission. */
  readonly needs?: Permission;
  /** The tab is hidden if the admin may not act on the user, because the server refuses to return its data. */
  readonly isAct?: boolean;
  /** The tab is hidden if this installation does not offer what it shows. */
  readonly isOffered?: boolean;
  readonly content: ReactNode;
}

/** The tabs about the user's own account. */
const accountTabs = (detail: UserDetail): UserTabContent[] => {
  const { user, passkeyCount, sessionCount } = detail;
  const accounts = signInAccounts(detail);
  return [
    { value: "overview", label: "Overview", content: <Overview detail={detail} /> },
    {
      value: "profile",
      label: "Profile",
      needs: "user:update",
      isAct: true,
      content: <Profile user={user} />,
    },
    {
      value: "sessions",
      label: `Sessions (${sessionCount < 1000 ? sessionCount : "1,000+"})`,
      needs: "session:list",
      isAct: true,
      content: <Sessions user={user} />,
    },
    {
      value: "accounts",
      label: `Accounts (${accounts.length})`,
      content: <Accounts {...detail} accounts={accounts} />,
    },
    {
      value: "passkeys",
      label: `Passkeys (${passkeyCount})`,
      needs: "user:reset-two-factor",
      isAct: true,
      isOffered: isOffered(operations.identity.adminListUserPasskeys),
      content: <Passkeys detail={detail} />,
    },
  ];
};

/** The tabs that list what belongs to the user. */
const listTabs = ({ user }: UserDetail, search: UserSearch): UserTabContent[] => [
  {
    value: "organizations",
    label: "Organizations",
    needs: "organization:list",
    content: <Organizations user={user} search={search} />,
  },
  {
    value: "api-keys",
    label: "API keys",
    needs: "apiKey:list",
    content: (
      <OwnedKeys
        owner={{ userId: user.id }}
        name="user-api-keys"
        search={search}
        emptyText="Users create keys in your application, and admins create them here."
      />
    ),
  },
  {
    value: "mails",
    label: "Emails",
    needs: "delivery:list",
    content: <Mails user={user} search={search} />,
  },
  {
    value: "timeline",
    label: "Timeline",
    needs: "audit:list",
    content: <UserTimeline user={user} />,
  },
];

/** Returns the tabs of a user that an admin may see. */
export const userTabsOf = (
  detail: UserDetail,
  search: UserSearch,
  may: (permission: Permission) => boolean,
): UserTabContent[] => {
  const tabs: UserTabContent[] = [
    ...accountTabs(detail),
    ...listTabs(detail, search),
    { value: "json", label: "JSON", content: <JsonView label="user as JSON" value={detail} /> },
  ];
  return tabs.filter(
    ({ needs, isAct, isOffered: isThere = true }) =>
      isThere && (needs === undefined || may(needs)) && (detail.mayActOn || !isAct),
  );
};
