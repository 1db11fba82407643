import { Toaster } from "@latchkey/ui/components/toaster.tsx";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { Fragment, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "../../session/session-query.ts";
import { Navigation } from "./navigation.tsx";
import { StepUp } from "./step-up.tsx";
import { TopBar } from "./top-bar.tsx";
import { useLeaveWhenSignedOut } from "./use-leave-when-signed-out.ts";

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
  const { t } = useTranslation("account");
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
        <div className="mx-auto flex max-w-5xl gap-8 px-4 py-6 min-[640px]:py-8">
          <div className="hidden w-44 shrink-0 min-[640px]:block">
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
