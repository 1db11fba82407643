import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Menu, Search, ChevronDown, ExternalLink, LogOut } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, useEffectEvent } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import {
  DropdownMenu,
  MenuChoices,
  MenuItem,
  MenuLine,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { chooseTheme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { useQueryClient } from "@tanstack/react-query";
import { type Access, refusalOf, type Refusal } from "../access/access.ts";
import { notifyTabs } from "../access/tabs-in-step.ts";
import { useAccess } from "../access/use-access.ts";
import { useSavedViews } from "../components/users/saved-views.ts";
import { useScrollMemory } from "../components/kept/use-scroll-memory.ts";
import { usePaletteKey } from "./use-palette-key.ts";
import { useWatchedImpersonation } from "./use-watched-impersonation.ts";
import { openAccount, signInAddress } from "../access/account-web.ts";
import { themeChoices } from "../theme/theme-choices.ts";
import { useSignOut } from "./use-sign-out.ts";
import { screens } from "./screens.ts";
import { visibleScreens } from "./visible-screens.ts";
import { StepUp } from "./step-up.tsx";
import { SecondFactorWarning } from "./second-factor-warning.tsx";
import { rememberPlace } from "../components/kept/resumed-place.ts";
import { changeLanguage, language, t } from "../texts.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { languages } from "@latchkey/contracts/languages.ts";

/** Removes the data that a former admin may no longer see. Leads to the sign-in page if the session has ended, and from there back here. */
const useLeaveWhenRefused = (): void => {
  const { access } = useAccess();
  const client = useQueryClient();
  const location = useLocation();
  const leave = useEffectEvent((refusal: Refusal) => {
    client.removeQueries({ queryKey: ["operation"] });
    if (refusal === "not-admin") return;
    rememberPlace(location);
    window.location.replace(signInAddress(location.href, "ended"));
  });
  const refusal = refusalOf(access);
  useEffect(() => {
    if (refusal) leave(refusal);
  }, [refusal]);
};

interface NavigationProps {
  /** Called when a link is followed. */
  onGo?: (() => void) | undefined;
}

/** Links to the searches of users that this admin has saved. */
const SavedViews = ({ onGo }: NavigationProps) => {
  const { views } = useSavedViews();
  if (views.length === 0) return null;
  return (
    <ul aria-label={t("shell.savedViews")} className="mt-0.5 ms-8 flex flex-col border-s">
      {views.map(({ name, search }) => (
        <li key={name}>
          <Link
            to="/users"
            // The route drops what it does not know.
            search={search as { q?: string }}
            activeOptions={{ exact: true }}
            onClick={onGo}
            className="block truncate rounded-e-md px-3 py-1 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-link max-sm:py-2.5"
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Links to all screens that the admin may see. */
const Navigation = ({ onGo }: NavigationProps) => {
  const { may } = useAccess();
  return (
    <nav aria-label={t("shell.screens")}>
      <ul className="flex flex-col gap-0.5">
        {visibleScreens(screens, may).map(({ label, to, icon: Icon, group }, index, all) => (
          <li key={to} className={group === all[index - 1]?.group ? "" : "not-first:mt-4"}>
            <Link
              to={to}
              activeOptions={{ exact: to === "/" }}
              onClick={onGo}
              className="flex h-8.5 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-link max-sm:h-11 [&_svg]:size-4"
            >
              <Icon aria-hidden="true" />
              {label}
            </Link>
            {to === "/users" && <SavedViews onGo={onGo} />}
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Each language is written in itself. */
const languageChoices = languages.map((value) => ({
  value,
  label: languageFacts[value].name,
  lang: value,
}));

/** Shows the signed-in user, the theme, the language, the way to their account and the sign-out button. */
const AccountMenu = ({ access: { user } }: { access: Access }) => {
  const theme = useTheme();
  const { signOut } = useSignOut();
  return (
    <DropdownMenu
      trigger={
        <Button kind="quiet" className="max-w-60">
          <Avatar name={user.name} />
          <span className="sr-only">{t("shell.accountOf")}</span>
          <span className="truncate max-sm:sr-only">{user.name}</span>
          <ChevronDown />
        </Button>
      }
    >
      <div className="max-w-60 px-2 py-1.5">
        <p className="truncate font-medium">{user.name}</p>
        <p className="truncate text-xs text-muted">{showEmail(user.email)}</p>
      </div>
      <MenuLine />
      <MenuChoices
        label={t("shell.theme.title")}
        value={theme}
        choices={themeChoices}
        onChange={chooseTheme}
      />
      <MenuLine />
      <MenuChoices
        label={t("shell.language")}
        value={language}
        choices={languageChoices}
        onChange={changeLanguage}
        closesMenu
      />
      <MenuLine />
      <MenuItem onSelect={openAccount}>
        <ExternalLink />
        {t("shell.yourAccount")}
      </MenuItem>
      <MenuItem onSelect={signOut}>
        <LogOut />
        {t("shell.signOut")}
      </MenuItem>
    </DropdownMenu>
  );
};

const Palette = lazyDialog(async () => (await import("./palette/palette.tsx")).Palette);

/** The navigation in a narrow window. */
const Drawer = lazyDialog(async () => (await import("@latchkey/ui/components/drawer.tsx")).Drawer);

const ImpersonationBanner = lazy(async () => ({
  default: (await import("./impersonation-banner.tsx")).ImpersonationBanner,
}));
const ImpersonationOnly = lazy(async () => ({
  default: (await import("./no-access.tsx")).ImpersonationOnly,
}));
const NotAdmin = lazy(async () => ({ default: (await import("./no-access.tsx")).NotAdmin }));

const Brand = () => (
  <Link
    to="/"
    className="flex h-10 max-w-48 items-center truncate rounded-sm px-2 text-lg font-semibold"
  >
    {pageFacts.appName}
  </Link>
);

interface TopBarProps {
  access: Access;
  onSearch: () => void;
}

const TopBar = ({ access, onSearch }: TopBarProps) => {
  const [isNavigating, setIsNavigating] = useState(false);
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b bg-surface px-4">
      <IconButton
        label={t("shell.screens")}
        className="lg:hidden"
        onClick={() => setIsNavigating(true)}
      >
        <Menu />
      </IconButton>
      <Drawer
        title={pageFacts.appName}
        side="start"
        isOpen={isNavigating}
        onOpenChange={setIsNavigating}
      >
        <Navigation onGo={() => setIsNavigating(false)} />
      </Drawer>
      <Brand />
      <Button
        className="ms-auto text-muted"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <Search />
        {t("shell.search")}
        <kbd
          aria-hidden="true"
          className="hidden rounded-sm border px-1 font-sans text-xs sm:inline"
        >
          Ctrl K
        </kbd>
      </Button>
      <AccountMenu access={access} />
    </header>
  );
};

/** Moves the focus to the beginning of a new screen, because the previously focused element no longer exists. */
const useFocusOnScreen = () => {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);
  return main;
};

const AdminShell = ({ access }: { access: Access }) => {
  const [isFinding, setIsFinding] = useState(false);
  usePaletteKey(isFinding, () => setIsFinding((was) => !was));
  const main = useFocusOnScreen();
  const impersonation = useWatchedImpersonation();
  const { id: userId } = access.user;
  useEffect(() => notifyTabs({ kind: "signed-in", userId }), [userId]);
  useScrollMemory(main, "screen");
  return (
    <div className="flex h-dvh flex-col">
      <a
        href="#screen"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:start-2 focus:top-2"
      >
        {t("shell.skip")}
      </a>
      <TopBar access={access} onSearch={() => setIsFinding(true)} />
      {impersonation && (
        <Suspense fallback={null}>
          <ImpersonationBanner {...impersonation} />
        </Suspense>
      )}
      <SecondFactorWarning access={access} />
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-56 shrink-0 overflow-y-auto border-e bg-surface p-3 lg:block">
          <Navigation />
        </div>
        <main
          id="screen"
          ref={main}
          tabIndex={-1}
          className="flex min-w-0 flex-1 flex-col overflow-y-auto outline-none"
        >
          <Outlet />
        </main>
      </div>
      {/* Without its last state, so that each search begins anew. */}
      {isFinding && <Palette isOpen onOpenChange={setIsFinding} />}
      <StepUp />
    </div>
  );
};

/** The frame around a screen. */
export const Shell = () => {
  useLeaveWhenRefused();
  const { access } = useAccess();
  if (!access) return null;
  const isAdmin = refusalOf(access) === undefined;
  if (isAdmin && !access.session.impersonatedBy) return <AdminShell access={access} />;
  const Reason = isAdmin ? ImpersonationOnly : NotAdmin;
  return (
    <Suspense fallback={null}>
      <Reason access={access} />
    </Suspense>
  );
};
