import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Menu, Search } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { Access } from "../access/access.ts";
import { useAccess } from "../access/use-access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { useScrollMemory } from "../components/kept/use-scroll-memory.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Navigation } from "./navigation.tsx";
import { SecondFactorWarning } from "./second-factor-warning.tsx";
import { StepUp } from "./step-up.tsx";
import { useLeaveWhenRefused } from "./use-leave-when-refused.ts";
import { usePaletteKey } from "./use-palette-key.ts";
import { useWatchedImpersonation } from "./use-watched-impersonation.ts";

const Palette = lazyDialog(async () => (await import("./palette/palette.tsx")).Palette);

/** The navigation in a narrow window. */
const Drawer = lazyDialog(async () => (await import("@latchkey/ui/components/drawer.tsx")).Drawer);

const ImpersonationBanner = lazy(async () => ({
  default: (await import("./impersonation-banner.tsx")).ImpersonationBanner,
}));
const ImpersonationOnly = lazy(async () => ({
  default: (await import("./impersonation-only.tsx")).ImpersonationOnly,
}));

const Brand = () => (
  <Link to="/" className="max-w-48 truncate rounded px-2 text-base font-semibold">
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
      <IconButton label="Screens" className="lg:hidden" onClick={() => setIsNavigating(true)}>
        <Menu />
      </IconButton>
      <Drawer
        title={pageFacts.appName}
        side="left"
        isOpen={isNavigating}
        onOpenChange={setIsNavigating}
      >
        <Navigation onGo={() => setIsNavigating(false)} />
      </Drawer>
      <Brand />
      <Button
        className="ml-auto text-muted"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <Search />
        Search
        <kbd aria-hidden="true" className="rounded border px-1 font-sans text-xs">
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
  useScrollMemory(main, "screen");
  return (
    <div className="flex h-dvh flex-col">
      <a
        href="#screen"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the screen
      </a>
      <TopBar access={access} onSearch={() => setIsFinding(true)} />
      {impersonation && (
        <Suspense fallback={null}>
          <ImpersonationBanner {...impersonation} />
        </Suspense>
      )}
      <SecondFactorWarning access={access} />
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-56 shrink-0 overflow-y-auto border-r bg-surface p-3 lg:block">
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
      <StepUp access={access} />
    </div>
  );
};

/** The frame around a screen. */
export const Shell = () => {
  useLeaveWhenRefused();
  const { access } = useAccess();
  if (!access) return null;
  return access.session.impersonatedBy ? (
    <Suspense fallback={null}>
      <ImpersonationOnly access={access} />
    </Suspense>
  ) : (
    <AdminShell access={access} />
  );
};
