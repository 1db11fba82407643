import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Toaster } from "@latchkey/ui/components/toaster.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useLocation, Link, useNavigate } from "@tanstack/react-router";
import {
  Fragment,
  useEffect,
  useRef,
  lazy,
  Suspense,
  useSyncExternalStore,
  useId,
  useState,
  useEffectEvent,
} from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Logo } from "@latchkey/ui/components/front-page.tsx";
import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import {
  LogOut,
  Menu,
  X,
  Building2,
  Database,
  History,
  KeyRound,
  MonitorSmartphone,
  ShieldCheck,
  User,
} from "lucide-react";
import { chooseTheme, type Theme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { addressOf } from "../../session/address-of.ts";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { facts } from "../../facts.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { LanguageChoice } from "../../components/language-choice.tsx";

/** Navigates to the sign-in page when the session has ended. The next sign-in leads back to the same screen. */
const useLeaveWhenSignedOut = (): void => {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { href } = useLocation();
  const leave = useEffectEvent(async () => {
    await navigate({
      to: "/sign-in",
      search: { reason: "ended", redirect_to: addressOf(href) },
    });
    client.removeQueries({ queryKey: ["operation"] });
  });
  const isSignedOut = session === null;
  useEffect(() => {
    if (isSignedOut) void leave();
  }, [isSignedOut]);
};

const screens = [
  { to: "/", name: "profile", Icon: User, isThere: true },
  { to: "/security", name: "security", Icon: ShieldCheck, isThere: true },
  { to: "/sessions", name: "sessions", Icon: MonitorSmartphone, isThere: true },
  { to: "/activity", name: "activity", Icon: History, isThere: true },
  {
    to: "/api-keys",
    name: "apiKeys",
    Icon: KeyRound,
    isThere: isOffered(operations.apikey.listApiKeys),
  },
  {
    to: "/organizations",
    name: "organizations",
    Icon: Building2,
    isThere: isOffered(operations.organization.listOrganizations),
  },
  { to: "/data", name: "data", Icon: Database, isThere: true },
] as const;

/** Links to the screens of the features that are on. */
const Navigation = ({ onGo }: { onGo?: () => void }) => {
  const t = useTranslation("account");
  return (
    <nav aria-label={t("navigation")}>
      <ul className="flex flex-col gap-1">
        {screens
          .filter(({ isThere }) => isThere)
          .map(({ to, name, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === "/" }}
                onClick={() => onGo?.()}
                className="flex h-9 items-center gap-2.5 rounded-md px-3 font-medium text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:text-ink max-sm:h-11"
              >
                <Icon className="size-4 shrink-0" />
                {t(`screens.${name}`)}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
};

const themes: readonly Theme[] = ["system", "light", "dark"];

/** Lets the user choose between light and dark. */
const ThemeChoice = () => {
  const t = useTranslation("account");
  const theme = useTheme();
  return (
    <select
      aria-label={t("theme.label")}
      value={theme}
      onChange={({ target }) => {
        const chosen = themes.find((known) => known === target.value);
        if (chosen) chooseTheme(chosen);
      }}
      className="h-8 rounded-md border border-transparent bg-transparent px-1.5 text-xs text-muted hover:bg-sunken hover:text-ink max-sm:h-10"
    >
      {themes.map((known) => (
        <option key={known} value={known}>
          {t(`theme.${known}`)}
        </option>
      ))}
    </select>
  );
};

const { branding } = facts;

const Brand = () => (
  <Link
    to="/"
    className="flex h-10 min-w-10 items-center truncate rounded-sm text-lg font-semibold"
  >
    <Logo name={branding.name} logo={branding.logo} className="h-7 max-w-40" />
  </Link>
);

const SignOut = ({ isBusy, onSignOut }: { isBusy: boolean; onSignOut: () => void }) => {
  const t = useTranslation("account");
  return (
    <Button kind="quiet" isBusy={isBusy} onClick={onSignOut}>
      <LogOut className="rtl:-scale-x-100" />
      {t("signOut")}
    </Button>
  );
};

/** The header of all screens for signed-in users. A narrow window has everything in a menu. */
const TopBar = () => {
  const t = useTranslation("account");
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const signOut = useSignOut(addressOf("/"));
  const choices = (
    <>
      <LanguageChoice />
      <ThemeChoice />
      <SignOut isBusy={signOut.isPending} onSignOut={() => signOut.mutate()} />
    </>
  );
  return (
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-5xl items-center justify-between gap-3 px-4">
        <Brand />
        <div className="hidden items-center gap-2 sm:flex">{choices}</div>
        <Button
          kind="quiet"
          size="icon"
          className="sm:hidden"
          aria-label={t("menu")}
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setIsOpen((was) => !was)}
        >
          {isOpen ? <X /> : <Menu />}
        </Button>
      </div>
      <div id={menuId} hidden={!isOpen} className="border-t px-4 py-3 sm:hidden">
        {isOpen && (
          <>
            <Navigation onGo={() => setIsOpen(false)} />
            <div className="mt-3 flex flex-wrap items-center gap-2 border-t pt-3">{choices}</div>
          </>
        )}
      </div>
      {signOut.error && (
        <div className="mx-auto max-w-5xl px-4 pb-3">
          <FormError error={signOut.error} />
        </div>
      )}
    </header>
  );
};

const StepUpProof = lazy(async () => ({
  default: (await import("./step-up-proof.tsx")).StepUpProof,
}));

/** Asks for the proof that a refused change requires. The change is then repeated. */
const StepUp = ({ email }: { email: string }) => {
  const t = useTranslation("account");
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.read);
  if (!request) return null;
  const { requires, settle } = request;
  return (
    <OpenDialog
      title={t("stepUp.title")}
      description={t("stepUp.text")}
      onClose={() => settle(false)}
    >
      <Suspense fallback={<Skeleton className="h-32" />}>
        <StepUpProof requires={requires} email={email} settle={settle} />
      </Suspense>
    </OpenDialog>
  );
};

/** Says that an admin acts as the shown user, and ends that. The browser then has its own session again, or none. */
const ImpersonationBanner = ({ name }: { name: string }) => {
  const t = useTranslation("account");
  const end = useChange({
    isProof: true,
    mutationFn: () => call(operations.identity.adminStopImpersonating, {}),
    onSuccess: () => window.location.assign(addressOf("/")),
  });
  return (
    <aside className="border-b border-warning/25 bg-warning-soft">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2">
        <p className="min-w-0 break-words">{t("impersonation.text", { name })}</p>
        <Button size="small" isBusy={end.isPending} onClick={() => end.mutate()}>
          {t("impersonation.end")}
        </Button>
        {end.error && <FormError error={end.error} />}
      </div>
    </aside>
  );
};

/** Moves the focus to the beginning of a new screen, because the link that led there may be gone. */
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

/** The frame around all screens for signed-in users. */
export const SignedInShell = () => {
  const t = useTranslation("account");
  useLeaveWhenSignedOut();
  const main = useFocusOnScreen();
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { id: userId, email } = session.user;
  // Another tab may sign another user in. Dialogs with secrets, entered texts and calls that wait for a proof end with the former user.
  return (
    <>
      <div className="min-h-dvh">
        <a
          href="#screen"
          className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:start-2 focus:top-2"
        >
          {t("skip")}
        </a>
        <TopBar />
        {session.session.impersonatedBy && (
          <ImpersonationBanner name={session.user.name || showEmail(email)} />
        )}
        <div className="mx-auto flex max-w-5xl gap-8 px-4 py-6 sm:py-8">
          <div className="hidden w-44 shrink-0 sm:block">
            <Navigation />
          </div>
          <main id="screen" ref={main} tabIndex={-1} className="min-w-0 flex-1 outline-none">
            <Fragment key={userId}>
              <Outlet />
            </Fragment>
          </main>
        </div>
        <StepUp key={userId} email={email} />
      </div>
      <Toaster dismissLabel={t("dismiss")} />
    </>
  );
};
