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
import { languages } from "@latchkey/contracts/languages.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { call, callAsAdmin, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import {
  DropdownMenu,
  MenuChoices,
  MenuItem,
  MenuLine,
  MenuSub,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import {
  ArrowLeft,
  Building2,
  ChevronsUpDown,
  Database,
  History,
  House,
  Languages,
  LogOut,
  Menu,
  SunMoon,
  X,
  KeyRound,
  MonitorSmartphone,
  ShieldCheck,
  User,
} from "lucide-react";
import { chooseTheme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { changeLanguage, shownLanguage, useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { addressOf } from "../../session/address-of.ts";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { facts } from "../../facts.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { Picture } from "../../components/account/picture.tsx";

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

type SignedIn = NonNullable<CallReply<typeof operations.identity.getSession>>;

const screens = [
  { to: "/", name: "overview", Icon: House, isThere: true },
  { to: "/profile", name: "profile", Icon: User, isThere: true },
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

const { branding, applicationURL } = facts;

const Brand = () => (
  <Link
    to="/"
    className="flex h-10 min-w-10 shrink items-center truncate rounded-sm text-lg font-semibold"
  >
    {branding.logo ? (
      <img src={branding.logo} alt={branding.name} className="h-7 max-w-40 object-contain" />
    ) : (
      branding.name
    )}
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
          <Picture name={name} address={active?.logo} isSquare isSmall />
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
        <Button kind="quiet" className="min-w-10 rounded-full px-1" aria-label={t("yourMenu")}>
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
const TopBar = ({ session: { session, user } }: { session: SignedIn }) => {
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

/** Says which admin acts as the shown user, and ends that. The browser then has its own session again, or none. */
const ImpersonationBanner = ({ name }: { name: string }) => {
  const t = useTranslation("account");
  const admin = useQuery({
    queryKey: ["operation", "impersonating-admin"],
    queryFn: ({ signal }) => callAsAdmin(operations.identity.getSession, { query: {} }, signal),
    select: (own) => own?.user,
  }).data;
  const end = useChange({
    isProof: true,
    mutationFn: () => call(operations.identity.adminStopImpersonating, {}),
    onSuccess: () => window.location.assign(addressOf("/")),
  });
  return (
    <aside className="border-b border-warning/25 bg-warning-soft">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2">
        <p className="min-w-0 break-words">
          {admin
            ? t("impersonation.by", { admin: admin.name || showEmail(admin.email), name })
            : t("impersonation.text", { name })}
        </p>
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
        <TopBar session={session} />
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
