import { showEmail } from "@latchkey/contracts/email-address.ts";
import { languages } from "@latchkey/contracts/languages.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import {
  DropdownMenu,
  MenuChoices,
  MenuItem,
  MenuLine,
  MenuSection,
  MenuSub,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { chooseTheme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { useNavigate } from "@tanstack/react-router";
import { Languages, LogOut, ShieldCheck, SunMoon, User, UserPlus } from "lucide-react";
import { useState } from "react";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { changeLanguage, shownLanguage, useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import {
  type DeviceUser,
  hasDeviceSessions,
  useDeviceUsers,
  useSwitch,
} from "../../session/device-sessions.ts";
import { useSignOut, useSignOutCurrent } from "../../session/use-sign-out.ts";

const languageChoices = languages.map((value) => ({
  value,
  label: languageFacts[value].name,
  lang: value,
}));

/** Chooses the language and the theme of this browser. */
const Preferences = () => {
  const t = useTranslation("account");
  const theme = useTheme();
  const themes = (["system", "light", "dark"] as const).map((value) => ({
    value,
    label: t(`theme.${value}`),
  }));
  const [language, themeLabel] = [t("page:language"), t("theme.label")];
  return (
    <>
      <MenuSub
        label={
          <>
            <Languages />
            {language}
          </>
        }
      >
        <MenuChoices
          label={language}
          value={shownLanguage()}
          choices={languageChoices}
          onChange={(chosen) => void changeLanguage(chosen)}
          closesMenu
        />
      </MenuSub>
      <MenuSub
        label={
          <>
            <SunMoon />
            {themeLabel}
          </>
        }
      >
        <MenuChoices label={themeLabel} value={theme} choices={themes} onChange={chooseTheme} />
      </MenuSub>
    </>
  );
};

const nameOf = ({ name, email }: { name: string; email: string }) => name || showEmail(email);

interface OtherUsersProps {
  others: readonly DeviceUser[];
  onSwitch: (sessionToken: string) => void;
}

/** The other users of this browser, and the way to one more. */
const OtherUsers = ({ others, onSwitch }: OtherUsersProps) => {
  const t = useTranslation("account");
  const navigate = useNavigate();
  const signIn = () =>
    void navigate({ to: "/sign-in", search: { add: "true", redirect_to: addressOf("/") } });
  return (
    <>
      {others.length > 0 && (
        <MenuSection label={t("users.others")}>
          {others.map((entry) => (
            <MenuItem key={entry.user.id} onSelect={() => onSwitch(entry.session.token)}>
              <Picture name={nameOf(entry.user)} address={entry.user.image} isSmall />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{nameOf(entry.user)}</span>
                <span className="block truncate text-xs text-muted">
                  {showEmail(entry.user.email)}
                </span>
              </span>
            </MenuItem>
          ))}
        </MenuSection>
      )}
      <MenuItem onSelect={signIn}>
        <UserPlus />
        {t("users.add")}
      </MenuItem>
      <MenuLine />
    </>
  );
};

/** Returns what the menu does, for the header, which shows a refusal. */
export const useAvatarMenu = () => {
  const leaveAll = useSignOut(addressOf("/"));
  const leaveOne = useSignOutCurrent();
  // The page is loaded anew, which leaves nothing of the former user in memory.
  const change = useSwitch(() => window.location.assign(addressOf("/")));
  return {
    leaveAll,
    leaveOne,
    change,
    error: [leaveAll, leaveOne, change].find((one) => one.error)?.error,
  };
};
type Acts = ReturnType<typeof useAvatarMenu>;

interface LeaveProps extends Acts {
  name: string;
  /** How many users are signed in in this browser. */
  count: number;
  onClose: () => void;
}

/** Asks whether one user or all users of this browser are signed out. */
const Leave = ({ name, count, leaveOne, leaveAll, error, onClose }: LeaveProps) => {
  const t = useTranslation("account");
  return (
    <OpenDialog title={t("signOut")} description={t("users.leave", { count })} onClose={onClose}>
      <div className="flex flex-col gap-2">
        <Button kind="primary" isBusy={leaveOne.isPending} onClick={() => leaveOne.mutate()}>
          {t("users.leaveOne", { name })}
        </Button>
        <Button isBusy={leaveAll.isPending} onClick={() => leaveAll.mutate()}>
          {t("users.leaveAll")}
        </Button>
        {error && <FormError error={error} />}
      </div>
    </OpenDialog>
  );
};

interface AvatarMenuProps {
  session: NonNullable<CallReply<typeof operations.identity.getSession>>;
  acts: Acts;
}

/** The menu of the signed-in user: the account, the other users of this browser, the language, the theme and the sign-out. */
export const AvatarMenu = ({ session: { session, user }, acts }: AvatarMenuProps) => {
  const t = useTranslation("account");
  const navigate = useNavigate();
  const [isLeaving, setIsLeaving] = useState(false);
  const { data: entries = [] } = useDeviceUsers();
  const others = entries.filter((entry) => entry.user.id !== user.id);
  const count = 1 + others.length;
  const name = nameOf(user);
  return (
    <>
      <DropdownMenu
        trigger={
          <Button kind="quiet" className="min-w-10 rounded-full px-1">
            <span className="sr-only">{t("yourMenu")}</span>
            <Picture name={name} address={user.image} isSmall />
          </Button>
        }
      >
        <div className="max-w-64 px-2 py-1.5">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-xs text-muted">{showEmail(user.email)}</p>
        </div>
        <MenuLine />
        {hasDeviceSessions && !session.impersonatedBy && (
          <OtherUsers others={others} onSwitch={acts.change.mutate} />
        )}
        <MenuItem onSelect={() => void navigate({ to: "/profile" })}>
          <User />
          {t("screens.profile")}
        </MenuItem>
        <MenuItem onSelect={() => void navigate({ to: "/security" })}>
          <ShieldCheck />
          {t("screens.security")}
        </MenuItem>
        <MenuLine />
        <Preferences />
        <MenuLine />
        <MenuItem onSelect={() => (count > 1 ? setIsLeaving(true) : acts.leaveAll.mutate())}>
          <LogOut className="rtl:-scale-x-100" />
          {t("signOut")}
        </MenuItem>
      </DropdownMenu>
      {isLeaving && (
        <Leave {...acts} name={name} count={count} onClose={() => setIsLeaving(false)} />
      )}
    </>
  );
};
