import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { ofLocalTime, toLocalTime } from "@latchkey/ui/components/local-time.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { inRounds } from "./in-rounds.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

const { adminReplayWebhookEvents, adminRetryFailedWebhookDeliveries } = operations.webhooks;

const dayMs = 86_400_000;

interface Times {
  readonly from: string;
  readonly to: string;
}

interface Resending {
  readonly title: string;
  readonly explanation: string;
  readonly fields: readonly { readonly name: keyof Times; readonly label: string }[];
  /** The noun of the toast. */
  readonly noun: readonly [one: string, many: string];
  /** Returns the number of queued deliveries. */
  run(id: string, times: Times): Promise<number>;
}

const retryFailed: Resending = {
  title: "Retry failed",
  explanation: "Queues every delivery that has failed since this time.",
  fields: [{ name: "from", label: "Failed since" }],
  noun: ["delivery", "deliveries"],
  run: (id, { from }) =>
    inRounds<true>(async () => {
      const input = { params: { id }, body: { since: from } };
      const { count, hasMore } = await call(adminRetryFailedWebhookDeliveries, input);
      return { count, next: hasMore || undefined };
    }),
};

const replay: Resending = {
  title: "Replay events",
  explanation:
    "Sends the events of a period again in their order and with the same IDs, also those that were delivered.",
  fields: [
    { name: "from", label: "From" },
    { name: "to", label: "To" },
  ],
  noun: ["event", "events"],
  run: (id, times) =>
    inRounds<string>(async (after) => {
      const body = { ...times, ...(after !== undefined && { after }) };
      const { count, next } = await call(adminReplayWebhookEvents, { params: { id }, body });
      return { count, next: next ?? undefined };
    }),
};

const useResend = ({ noun, run }: Resending, id: string, onDone: () => void) => {
  const client = useQueryClient();
  return useChange<number, Times>({
    mutationFn: (times) => run(id, times),
    meta: { access: "permission" },
    onSuccess: async (count) => {
      const title = `${numberText(count)} ${count === 1 ? noun[0] : noun[1]} queued.`;
      toasts.add({ title, type: "success" });
      onDone();
      await client.invalidateQueries({ queryKey: ["operation"] });
    },
  });
};

interface ResendFormProps {
  resending: Resending;
  webhookId: string;
  onClose: () => void;
}

/** The period from a day ago until the end of the present minute. */
const recentTimes = (): Times => {
  const now = Date.now();
  return {
    from: toLocalTime(new Date(now - dayMs).toISOString(), "from"),
    to: toLocalTime(new Date(now).toISOString(), "to"),
  };
};

const ResendForm = ({ resending, webhookId, onClose }: ResendFormProps) => {
  const [times, setTimes] = useState(recentTimes);
  const [fault, setFault] = useState<string>();
  const resend = useResend(resending, webhookId, onClose);
  const submit = () => {
    const [from, to] = [ofLocalTime(times.from, "from"), ofLocalTime(times.to, "to")];
    if (from === undefined || to === undefined) return setFault("Enter a date and time.");
    if (from > to) return setFault("The end must not be before the start.");
    setFault(undefined);
    return resend.mutate({ from, to });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p>{resending.explanation}</p>
      {resending.fields.map(({ name, label }, index) => (
        <Field
          key={name}
          label={label}
          error={index === resending.fields.length - 1 ? fault : undefined}
        >
          <Input
            type="datetime-local"
            value={times[name]}
            onChange={(event) => setTimes({ ...times, [name]: event.target.value })}
          />
        </Field>
      ))}
      {resend.error && <FormError error={resend.error} />}
      <DialogButtons action={resending.title} isBusy={resend.isPending} onCancel={onClose} />
    </form>
  );
};

const ResendButton = ({ resending, webhookId }: Omit<ResendFormProps, "onClose">): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{resending.title}</Button>
      {isOpen && (
        <Dialog title={resending.title} isOpen onOpenChange={(open) => !open && close()}>
          <ResendForm resending={resending} webhookId={webhookId} onClose={close} />
        </Dialog>
      )}
    </>
  );
};

/** Retries all failed deliveries of a webhook since a time, or replays the events of a period. */
export const Resend = ({ webhookId }: { webhookId: string }) => (
  <>
    <ResendButton resending={retryFailed} webhookId={webhookId} />
    <ResendButton resending={replay} webhookId={webhookId} />
  </>
);
