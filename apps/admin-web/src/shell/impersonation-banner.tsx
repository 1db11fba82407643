import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { type Impersonation, impersonationQuery } from "../access/impersonation.ts";
import { notifyTabs } from "../access/tabs-in-step.ts";
import { toastError } from "../api/explain.ts";
import { t } from "../texts.ts";
import { richText } from "../components/rich-text.tsx";

/** Ends the impersonation in this browser. */
const useStopImpersonating = () => {
  const client = useQueryClient();
  const { mutate, isPending } = useChange({
    meta: { access: "anyone" },
    mutationFn: () => call(operations.identity.adminStopImpersonating, {}),
    onSuccess: () => notifyTabs({ kind: "impersonation-ended" }),
    onError: toastError,
    // It may also have ended by itself.
    onSettled: () => client.invalidateQueries({ queryKey: impersonationQuery.queryKey }),
  });
  return { stop: () => mutate(), isPending };
};

/** Shows whom this browser impersonates in another window, until when, and a button to end it. */
export const ImpersonationBanner = ({ user, endsAt }: Impersonation) => {
  const { stop, isPending } = useStopImpersonating();
  return (
    <aside
      aria-label={t("shell.impersonation.label")}
      className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-warning/25 bg-warning-soft px-6 py-2 text-ink"
    >
      <p className="min-w-0 break-words">
        {richText("shell.impersonation.text", {
          name: (
            <strong className="font-semibold">
              <bdi>{user.name || showEmail(user.email)}</bdi>
            </strong>
          ),
          time: <RelativeTime at={endsAt} mayBeAhead />,
        })}
      </p>
      <Button size="small" isBusy={isPending} onClick={stop}>
        {t("shell.impersonation.end")}
      </Button>
    </aside>
  );
};
