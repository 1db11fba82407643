import { showEmail } from "@latchkey/contracts/email-address.ts";
import { languages } from "@latchkey/contracts/languages.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import {
  DropdownMenu,
  MenuChoices,
  MenuItem,
  MenuLine,
  MenuSub,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { Logo } from "@latchkey/ui/components/logo.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { chooseTheme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  ArrowLeft,
  Building2,
  ChevronsUpDown,
  Languages,
  LogOut,
  Menu,
  ShieldCheck,
  SunMoon,
  User,
  X,
} from "lucide-react";
import { useId, useState } from "react";
import { Picture } from "../../components/account/picture.tsx";
import { facts } from "../../facts.ts";
import { changeLanguage, shownLanguage, useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { Navigation } from "./navigation.tsx";

type SignedIn = NonNullable<CallReply<typeof operations.identity.getSession>>;

const { branding, applicationURL } = facts;

const Brand = () => (
  <Link
    to="/"
    className="flex h-10 min-w-10 shrink items-center truncate rounded-sm text-lg font-semibold"
  >
    <Logo name={branding.name} logo={branding.logo} className="h-7 max-w-40" />
  </Link>
);

/** Leads back to the application whose users have their account here. */
const BackToApplication = () => {
  const t = useTranslation("page");
  if (applicationURL === undefined) return null;
  return (
    <a href={applicationURL} className={buttonStyle("quiet")}>
      <ArrowLeft className="rtl:-scale-x-100" />
      {t("goToApplication", { name: branding.name })}
    </a>
  );
};

const { listOrganizations, setActiveOrganization } = operations.organization;
const hasOrganizations = isOffered(listOrganizations);

interface OrganizationSwitcherProps {
  activeId: string | null | undefined;
  onSwitch: (organizationId: string) => void;
}

/** Switches between the organizations of the user. Not shown without any. */
const OrganizationSwitcher = ({ activeId, onSwitch }: OrganizationSwitcherProps) => {
  const t = useTranslation("account");
  const navigate = useNavigate();
  const { data } = useQuery({
    ...operationQuery(listOrganizations, {}),
    enabled: hasOrganizations,
  });
  if (!data?.length) return null;
  const active = data.find(({ id }) => id === activeId);
  const name = active?.name ?? t("organization.none");
  return (
    <DropdownMenu
      trigger={
        <Button kind="quiet" className="max-w-60 min-w-10 px-1.5">
          <span className="sr-only">{t("organization.label")}</span>
          {active ? <Picture name={name} address={active.logo} isSquare isSmall /> : <Building2 />}
          <span className="truncate max-sm:sr-only">{name}</span>
          <ChevronsUpDown className="max-sm:hidden" />
        </Button>
      }
    >
      <MenuChoices
        label={t("organization.label")}
        value={active?.id ?? ""}
        choices={data.map((one) => ({ value: one.id, label: one.name }))}
        onChange={onSwitch}
        closesMenu
      />
      <MenuLine />
      <MenuItem onSelect={() => void navigate({ to: "/organizations" })}>
        <Building2 />
        {t("organization.all")}
      </MenuItem>
    </DropdownMenu>
  );
};

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

interface AvatarMenuProps {
  user: SignedIn["user"];
  onSignOut: () => void;
}

/** The menu of the signed-in user: the account, the language, the theme and the sign-out. */
const AvatarMenu = ({ user, onSignOut }: AvatarMenuProps) => {
  const t = useTranslation("account");
  const navigate = useNavigate();
  const email = showEmail(user.email);
  const name = user.name || email;
  return (
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
        <p className="truncate text-xs text-muted">{email}</p>
      </div>
      <MenuLine />
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
      <MenuItem onSelect={onSignOut}>
        <LogOut className="rtl:-scale-x-100" />
        {t("signOut")}
      </MenuItem>
    </DropdownMenu>
  );
};

/** The header of all screens for signed-in users. A narrow window has the navigation in a menu. */
export const TopBar = ({ session: { session, user } }: { session: SignedIn }) => {
  const t = useTranslation("account");
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const signOut = useSignOut(addressOf("/"));
  const activate = useOperation(setActiveOrganization, {
    done: (active) => t("organizations:switched", { name: active?.name ?? "" }),
  });
  const error = signOut.error ?? activate.error;
  return (
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-5xl items-center gap-2 px-4">
        <Button
          kind="quiet"
          size="icon"
          className="-ms-2.5 sm:hidden"
          aria-label={t("menu")}
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setIsOpen((was) => !was)}
        >
          {isOpen ? <X /> : <Menu />}
        </Button>
        <Brand />
        <div className="ms-auto flex items-center gap-1">
          <div className="max-sm:hidden">
            <BackToApplication />
          </div>
          <OrganizationSwitcher
            activeId={session.activeOrganizationId}
            onSwitch={(organizationId) => activate.mutate({ body: { organizationId } })}
          />
          <AvatarMenu user={user} onSignOut={() => signOut.mutate()} />
        </div>
      </div>
      <div id={menuId} hidden={!isOpen} className="border-t px-4 py-3 sm:hidden">
        {isOpen && (
          <>
            <Navigation onGo={() => setIsOpen(false)} />
            <div className="mt-3 border-t pt-3 empty:hidden">
              <BackToApplication />
            </div>
          </>
        )}
      </div>
      {error && (
        <div className="mx-auto max-w-5xl px-4 pb-3">
          <FormError error={error} />
        </div>
      )}
    </header>
  );
};
