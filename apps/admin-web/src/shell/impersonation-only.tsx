import type { Access } from "../access/access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { useSignOut } from "./use-sign-out.ts";

/** Replaces all screens if an impersonation lasts, but the admin's own session has ended, so that nothing leads back to it. */
export const ImpersonationOnly = ({ access: { user } }: { access: Access }) => {
  const { signOut, isPending } = useSignOut();
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <title>{`Signed in as ${user.name} – ${pageFacts.appName} admin`}</title>
      <EmptyState
        title="Your own session has ended"
        action={
          <Button kind="primary" isBusy={isPending} onClick={signOut}>
            Sign out
          </Button>
        }
      >
        This browser is still signed in as <bdi>{user.email}</bdi>. Sign out, then sign in again.
      </EmptyState>
    </main>
  );
};
