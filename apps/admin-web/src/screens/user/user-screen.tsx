import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { UserState } from "../../components/users/user-state.tsx";
import { possibleActions } from "./possible-actions.ts";
import { type UserDetail, useUser } from "./use-user.ts";
import { UserActions } from "./user-actions.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { type UserAction, userTabs } from "./user-search.ts";
import { userTabsOf } from "./user-tabs.tsx";

const route = getRouteApi("/shell/users/$userId");
const trail = [{ label: "Users", to: "/users" }];

const UserSides = ({ detail }: { detail: UserDetail }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const tabs = userTabsOf(detail, search, may);
  const open = tabs.find(({ value }) => value === search.tab)?.value ?? "overview";
  return (
    <Tabs
      label="User views"
      value={open}
      onChange={(value) => {
        const tab = userTabs.find((known) => known === value);
        void navigate({ to: ".", search: { tab: tab === "overview" ? undefined : tab } });
      }}
      tabs={tabs}
    />
  );
};

const UserPage = ({ detail, reading }: { detail: UserDetail; reading: Reading }) => {
  const { user, mayActOn } = detail;
  const { do: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const { access, may } = useAccess();
  const actions = possibleActions(user, { id: access?.user.id, may, mayActOn, now: useNow() });
  const show = (action: UserAction | undefined) =>
    void navigate({
      to: ".",
      search: (was) => ({ ...was, do: action }),
      state: true,
      replace: true,
    });
  const shown = actions.find(({ name }) => name === asked)?.name;
  return (
    <Page
      title={user.name || user.email}
      trail={trail}
      aside={
        <>
          <UserState user={user} />
          <UserActions actions={actions} onChoose={show} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      {!mayActOn && (
        <Notice>This user has permissions that you do not have, so you cannot change them.</Notice>
      )}
      <UserSides detail={detail} />
      {shown && <UserDialog action={shown} user={user} onClose={() => show(undefined)} />}
    </Page>
  );
};

/** Shows one user and the actions on that user. */
export const UserScreen = () => {
  const { userId } = route.useParams();
  const reading = useUser(userId);
  const { data, error, refetch } = reading;
  if (error && !data)
    return (
      <Page title="User" trail={trail}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title="User" trail={trail}>
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-96 w-full" />
      </Page>
    );
  return <UserPage key={userId} detail={data} reading={reading} />;
};
