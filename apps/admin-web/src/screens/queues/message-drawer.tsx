import { Link } from "@tanstack/react-router";
import { RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { discardConsequence, goneText } from "./message-actions.ts";
import type { FailedMessage } from "./use-queues.ts";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

const { adminRetryMessage, adminDiscardMessage } = operations.identity;

interface MessageProps {
  queue: string;
  message: FailedMessage;
  onClose: () => void;
}

const MessageButtons = ({ queue, message, onClose }: MessageProps) => {
  const [isAsked, setIsAsked] = useState(false);
  const retry = useOperation(adminRetryMessage, {
    done: ({ success }) => (success ? t("attempts.retrying") : goneText),
    onDone: onClose,
  });
  const input = { params: { name: queue }, body: { id: message.id } };
  return (
    <div className="flex gap-2">
      <Button isBusy={retry.isPending} onClick={() => retry.mutate(input)}>
        <RotateCw />
        {t("common.retry")}
      </Button>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        <Trash2 />
        {t("queues.discard.button")}
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDiscardMessage}
          input={input}
          title={t("queues.discard.title", { event: message.event })}
          action={t("queues.discard.action")}
          done={({ success }) => (success ? t("queues.discard.done") : goneText)}
          onClose={() => setIsAsked(false)}
          onDone={onClose}
        >
          {discardConsequence}
        </Confirm>
      )}
    </div>
  );
};

/** Explains that retrying the message of a failed mail has no effect, because the mail itself has failed. */
const MailHint = () => (
  <p className="text-muted">
    {richText("queues.message.mailHint", {
      link: (
        <Link
          to="/mail"
          search={{ state: "failed" }}
          className="rounded-sm underline underline-offset-2"
        >
          {t("queues.message.mails")}
        </Link>
      ),
    })}
  </p>
);

const Message = (props: MessageProps) => {
  const { may } = useAccess();
  const { message, queue } = props;
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={{
          [t("events.one")]: message.event,
          [t("parties.names.queue")]: queue,
          [t("common.attempts")]: message.attempts,
          [t("queues.failed")]: <RelativeTime at={message.failedAt} />,
          [t("common.id")]: <CopyId id={message.id} of={t("queues.message.one")} />,
        }}
      />
      <section aria-label={t("common.reason")} className="flex flex-col gap-1">
        <h3 className="font-medium">{t("queues.message.reason")}</h3>
        <pre
          tabIndex={0}
          role="region"
          aria-label={t("queues.message.reason")}
          className="max-h-72 overflow-auto rounded-md border bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap"
        >
          <bdi>{message.reason}</bdi>
        </pre>
      </section>
      {queue === "mailer" && may("delivery:list") && <MailHint />}
      {may("queue:update") && <MessageButtons {...props} />}
    </div>
  );
};

interface MessageDrawerProps extends Pick<MessageProps, "queue"> {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The message on the current page, or undefined if it is on another one or is no longer failed. */
  message: FailedMessage | undefined;
}

/** Shows a failed message, its error, and the actions on it. */
export const MessageDrawer = ({ isOpen, onOpenChange, message, queue }: MessageDrawerProps) => (
  <Drawer title={t("queues.message.title")} isOpen={isOpen} onOpenChange={onOpenChange}>
    {message ? (
      <Message key={message.id} {...{ message, queue }} onClose={() => onOpenChange(false)} />
    ) : (
      isOpen && <p className="text-muted">{t("queues.message.elsewhere")}</p>
    )}
  </Drawer>
);
