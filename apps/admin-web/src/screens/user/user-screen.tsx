import { showEmail } from "@latchkey/contracts/email-address.ts";
import { getRouteApi } from "@tanstack/react-router";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { ChevronDown, VenetianMask } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { useAccess } from "../../access/use-access.ts";
import { Detail } from "../../components/detail.tsx";
import { Page } from "../../components/page.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { UserState } from "../../components/users/user-state.tsx";
import { possibleActions, type PossibleAction } from "./possible-actions.ts";
import { type UserDetail, useUser } from "./use-user.ts";
import { UserDialog } from "./user-dialog.tsx";
import { type UserAction, userTabs } from "./user-search.ts";
import { userTabsOf } from "./user-tabs.tsx";
import { useImpersonation } from "../../access/impersonation.ts";

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
          title={impersonation && "End the current impersonation first."}
          onClick={() => onChoose("impersonate")}
        >
          <VenetianMask />
          Impersonate
        </Button>
      )}
      {inMenu.length > 0 && (
        <DropdownMenu
          trigger={
            <Button kind="primary">
              Actions
              <ChevronDown />
            </Button>
          }
        >
          {inMenu.map(({ name, label, isDangerous }) => (
            <MenuItem key={name} isDangerous={isDangerous} onSelect={() => onChoose(name)}>
              {label}
            </MenuItem>
          ))}
        </DropdownMenu>
      )}
    </>
  );
};

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
  const { do: chosenAction } = route.useSearch();
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
  return (
    <Detail kind="User" trail={trail} reading={reading}>
      {(detail) => <UserPage key={userId} detail={detail} reading={reading} />}
    </Detail>
  );
};
