import { showEmail } from "@latchkey/contracts/email-address.ts";
import { getRouteApi } from "@tanstack/react-router";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { lazyModule } from "@latchkey/ui/components/lazy-module.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { ChevronDown, VenetianMask } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import type { Permission } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { Detail } from "../../components/detail.tsx";
import { Page } from "../../components/page.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { UserState } from "../../components/users/user-state.tsx";
import {
  possibleActions,
  type PossibleAction,
  type UserAction,
} from "../../components/users/user-actions.ts";
import { Duplicates } from "./duplicates.tsx";
import { Overview } from "./overview.tsx";
import { type User, type UserDetail, useUser } from "./use-user.ts";
import { type UserSearch, type UserTab, userTabs } from "./user-search.ts";
import type { LaterTab as LoadedTab } from "./user-tabs.tsx";
import { Verdict } from "./verdict.tsx";
import { Who } from "./who.tsx";
import { useImpersonation } from "../../access/impersonation.ts";
import { t } from "../../texts.ts";

interface UserActionsProps {
  actions: readonly PossibleAction[];
  onChoose: (action: UserAction) => void;
}

/** The buttons next to the name of a user. */
const UserActions = ({ actions, onChoose }: UserActionsProps) => {
  const impersonation = useImpersonation();
  const inMenu = actions.filter(({ name, isRemedy }) => name !== "impersonate" && !isRemedy);
  return (
    <>
      {actions.some(({ name }) => name === "impersonate") && (
        <Button
          disabled={impersonation !== undefined}
          focusableWhenDisabled
          title={impersonation && t("user.endImpersonation")}
          onClick={() => onChoose("impersonate")}
        >
          <VenetianMask />
          {t("impersonate.action")}
        </Button>
      )}
      {inMenu.length > 0 && (
        <DropdownMenu
          trigger={
            <Button kind="primary">
              {t("common.actions")}
              <ChevronDown />
            </Button>
          }
        >
          {inMenu.map(({ name, isDangerous }) => (
            <MenuItem key={name} isDangerous={isDangerous} onSelect={() => onChoose(name)}>
              {t(`userActions.labels.${name}`)}
            </MenuItem>
          ))}
        </DropdownMenu>
      )}
    </>
  );
};

const route = getRouteApi("/shell/users/$userId");
const trail = [{ label: t("screens.users"), to: "/users" }];

/** Most visits need neither these tabs nor a form, and load faster without them. */
const laterTabs = lazyModule(() => import("./user-tabs.tsx"));
const profile = lazyModule(() => import("./profile/profile.tsx"));
const CompareUsers = lazyDialog(async () => (await import("./compare-users.tsx")).CompareUsers);
const UserDialog = lazyDialog(async () => (await import("./user-dialog.tsx")).UserDialog);

const Loading = () => <Skeleton className="h-80 w-full" />;

const OverviewTab = ({ detail, search }: { detail: UserDetail; search: UserSearch }) => {
  const { may } = useAccess();
  return search.edit && detail.mayActOn && may("user:update") ? (
    <ProfileForm user={detail.user} />
  ) : (
    <Overview user={detail.user} />
  );
};

const ProfileForm = ({ user }: { user: User }) => {
  const loaded = profile.useModule();
  return loaded ? <loaded.Profile user={user} /> : <Loading />;
};

const LaterTab = (props: ComponentProps<typeof LoadedTab>) => {
  const loaded = laterTabs.useModule();
  return loaded ? <loaded.LaterTab {...props} /> : <Loading />;
};

const labels: Readonly<Record<UserTab, string>> = {
  overview: t("user.tabs.overview"),
  security: t("user.tabs.security"),
  access: t("user.tabs.access"),
  activity: t("user.tabs.activity"),
  raw: t("user.tabs.raw"),
};

/** A tab is hidden if this admin has none of the permissions that it needs. */
const needs: Readonly<Partial<Record<UserTab, readonly Permission[]>>> = {
  access: ["organization:list", "apiKey:list", "oauthClient:list"],
  activity: ["audit:list", "delivery:list"],
};

const UserSides = ({ detail }: { detail: UserDetail }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const shown = userTabs.filter((tab) => needs[tab]?.some(may) ?? true);
  const open = shown.find((tab) => tab === search.tab) ?? "overview";
  return (
    <Tabs
      label={t("user.views")}
      value={open}
      onChange={(value) => {
        const tab = userTabs.find((known) => known === value);
        void navigate({ to: ".", search: { tab: tab === "overview" ? undefined : tab } });
      }}
      tabs={shown.map((tab) => ({
        value: tab,
        label: labels[tab],
        content:
          tab === "overview" ? (
            <OverviewTab detail={detail} search={search} />
          ) : (
            <LaterTab tab={tab} detail={detail} search={search} />
          ),
      }))}
    />
  );
};

const uncompared = ({ compare: _, ...search }: UserSearch): UserSearch => search;

const UserPage = ({ detail, reading }: { detail: UserDetail; reading: Reading }) => {
  const { user, mayActOn } = detail;
  const { do: chosenAction, compare } = route.useSearch();
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
  const shown = actions.find(({ name }) => name === chosenAction)?.name;
  return (
    <Page
      title={user.name || showEmail(user.email)}
      trail={trail}
      aside={
        <>
          <UserState user={user} />
          <UserActions actions={actions} onChoose={show} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      {!mayActOn && <Notice>{t("user.morePermissions")}</Notice>}
      <div className="grid min-h-0 flex-1 items-start gap-5 lg:grid-cols-[19rem_minmax(0,1fr)] xl:grid-cols-[21rem_minmax(0,1fr)]">
        <Who detail={detail} />
        <div className="flex h-full min-w-0 flex-col gap-4">
          <Verdict detail={detail} />
          <Duplicates userId={user.id} />
          <UserSides detail={detail} />
        </div>
      </div>
      {compare !== undefined && (
        <CompareUsers
          detail={detail}
          otherId={compare}
          isOpen
          onOpenChange={(isOpen) => !isOpen && void navigate({ to: ".", search: uncompared })}
        />
      )}
      {shown && (
        <UserDialog
          action={shown}
          user={user}
          isOpen
          onOpenChange={(isOpen) => !isOpen && show(undefined)}
        />
      )}
    </Page>
  );
};

/** Shows one user and the actions on that user. */
export const UserScreen = () => {
  const { userId } = route.useParams();
  const reading = useUser(userId);
  return (
    <Detail kind={t("common.user")} trail={trail} reading={reading}>
      {(detail) => <UserPage key={userId} detail={detail} reading={reading} />}
    </Detail>
  );
};
