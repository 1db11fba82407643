import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call, callAsAdmin } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Toaster } from "@latchkey/ui/components/toaster.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import {
  Fragment,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useSyncExternalStore,
} from "react";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { Navigation } from "./navigation.tsx";
import { TopBar } from "./top-bar.tsx";

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
