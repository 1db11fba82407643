import type { Impersonation } from "../access/impersonation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useStopImpersonating } from "./use-stop-impersonating.ts";

/** Shows whom this browser impersonates in another window, until when, and a button to end it. */
export const ImpersonationBanner = ({ user, endsAt }: Impersonation) => {
  const { stop, isPending } = useStopImpersonating();
  return (
    <aside
      aria-label="Impersonation"
      className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-warning bg-warning-soft px-6 py-2 text-ink"
    >
      <p className="min-w-0 break-words">
        You are signed in as{" "}
        <strong className="font-semibold">
          <bdi>{user.name || user.email}</bdi>
        </strong>{" "}
        in another window. The impersonation ends <RelativeTime at={endsAt} mayBeAhead />.
      </p>
      <Button size="small" isBusy={isPending} onClick={stop}>
        End impersonation
      </Button>
    </aside>
  );
};
