import type { Access } from "../access/access.ts";
import { Button } from "../components/ui/button.tsx";
import { EmptyState } from "../components/ui/empty-state.tsx";
import { RelativeTime } from "../components/ui/relative-time.tsx";
import { pageFacts } from "../page-facts.ts";
import { useSignOut } from "./use-sign-out.ts";
import { useStopImpersonating } from "./use-stop-impersonating.ts";

/**
 * Replaces all screens while an admin impersonates a user. Shows the user, the end of the impersonation, and how to leave it.
 * Returning is not possible if the admin's own session has ended meanwhile.
 */
export const Impersonation = ({ access: { user, session } }: { access: Access }) => {
  const { stop, isPending } = useStopImpersonating(user.id);
  const { signOut, isPending: isLeaving } = useSignOut();
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`Signed in as ${user.name} – ${pageFacts.appName} admin`}</title>
      <header
        aria-label="Impersonation"
        className="flex flex-wrap items-center justify-between gap-3 border-b-2 border-warning bg-warning-soft px-6 py-3"
      >
        <p className="min-w-0 break-words">
          You are signed in as <strong>{user.name}</strong> ({user.email}). It ends{" "}
          <RelativeTime at={session.expiresAt} mayBeAhead />.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button isBusy={isLeaving} onClick={signOut}>
            Sign out
          </Button>
          <Button kind="primary" isBusy={isPending} onClick={stop}>
            Go back to your own account
          </Button>
        </div>
      </header>
      <main className="flex flex-1 items-center justify-center">
        <EmptyState title={`This browser is ${user.name} now`}>
          Your application sees them, not you. The screens for admins are closed until you go back;
          what you do meanwhile is recorded under your own name, too.
        </EmptyState>
      </main>
    </div>
  );
};
