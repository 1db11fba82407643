import type { ReactNode } from "react";
import type { Permission } from "../../access/access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Accounts } from "./accounts.tsx";
import { OwnedKeys } from "../../components/api-keys/owned-keys.tsx";
import { Mails } from "./mails.tsx";
import { Organizations } from "./organizations.tsx";
import { Overview } from "./overview.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Profile } from "./profile/profile.tsx";
import { signInAccounts } from "./sign-in-accounts.ts";
import { Sessions } from "./sessions.tsx";
import { Timeline } from "./timeline.tsx";
import type { UserDetail } from "./use-user.ts";
import type { UserSearch, UserTab } from "./user-search.ts";

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
    content: <Timeline user={user} />,
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
