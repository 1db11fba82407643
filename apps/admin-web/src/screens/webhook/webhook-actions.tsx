import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { changeOfWebhook, formOfWebhook } from "@latchkey/ui/webhooks/webhook-form.ts";
import { useAccess } from "../../access/use-access.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { WebhookFields } from "../../components/webhooks/webhook-fields.tsx";
import { webhookRules } from "../../components/webhooks/webhook-rules.ts";
import { RotateSecret } from "../../components/rotate-secret.tsx";
import { t } from "../../texts.ts";

const { adminRotateWebhookSecret } = operations.webhooks;

const overlapSecondsMax = 604_800;

interface RotateSecretProps {
  webhookId: string;
  onClose: () => void;
}

const RotateWebhookSecret = ({ webhookId, onClose }: RotateSecretProps) => {
  const [secret, setSecret] = useState<string>();
  const rotate = useOperation(adminRotateWebhookSecret, {
    showsError: true,
    onDone: (reply) => setSecret(reply.secret),
  });
  return (
    <RotateSecret
      label={t("webhook.secret")}
      secondsMax={overlapSecondsMax}
      change={rotate}
      onSubmit={(overlapSeconds) =>
        rotate.mutate({ params: { id: webhookId }, body: { overlapSeconds } })
      }
      secret={secret}
      onClose={onClose}
    >
      {t("webhook.rotate.text")}
    </RotateSecret>
  );
};

interface EditWebhookProps {
  webhook: Webhook;
  onClose: () => void;
}

const draftOf = ({ id }: Webhook): string => `webhook.${id}`;

const EditForm = ({ webhook, onClose }: EditWebhookProps) => {
  // The values when editing began, so that the form sends only what the admin changes.
  const [before] = useState(() => formOfWebhook(webhook));
  const update = useOperation(operations.webhooks.adminUpdateWebhook, {
    showsError: true,
    done: t("webhook.edit.done"),
    onDone: onClose,
  });
  const form = useForm({
    resolver: zodResolver(webhookRules),
    defaultValues: before,
    change: update,
    onSubmit: (given) => {
      const body = changeOfWebhook(given, before);
      if (Object.keys(body).length === 0) return onClose();
      return update.mutate({ params: { id: webhook.id }, body });
    },
  });
  useDraft({ form, name: draftOf(webhook), defaults: before });
  return (
    <DialogForm form={form} action={t("common.save")} onClose={onClose}>
      <WebhookFields form={form} />
    </DialogForm>
  );
};

/** Edits the URL, the description, the contact and the events of a webhook. */
const EditWebhook = ({ webhook, onClose }: EditWebhookProps) => {
  const close = () => {
    discardDraft(draftOf(webhook));
    onClose();
  };
  return (
    <Dialog
      title={t("webhook.edit.title")}
      description={t("webhook.edit.text")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      className="max-w-2xl"
    >
      <EditForm webhook={webhook} onClose={close} />
    </Dialog>
  );
};

const { adminDeleteWebhook, adminPauseWebhook, adminResumeWebhook, adminTestWebhook } =
  operations.webhooks;

const Edit = ({ webhook }: { webhook: Webhook }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t("common.edit")}</Button>
      {isOpen && <EditWebhook webhook={webhook} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const Rotate = ({ webhook }: { webhook: Webhook }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t("webhook.rotate.action")}</Button>
      {isOpen && <RotateWebhookSecret webhookId={webhook.id} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const PauseOrResume = ({ webhook: { id, state } }: { webhook: Webhook }) => {
  const pause = useOperation(adminPauseWebhook, { done: t("webhook.paused") });
  const resume = useOperation(adminResumeWebhook, { done: t("webhook.resumed") });
  const [change, label] =
    state === "active" ? [pause, t("webhook.pause")] : [resume, t("webhook.resume")];
  return (
    <Button isBusy={change.isPending} onClick={() => change.mutate({ params: { id } })}>
      {label}
    </Button>
  );
};

const SendTest = ({ webhook: { id } }: { webhook: Webhook }) => {
  const navigate = useNavigate();
  const send = useOperation(adminTestWebhook, {
    done: t("webhook.test.done"),
    // Opens the delivery, whose drawer shows the response as soon as it arrives.
    onDone: (delivery) =>
      navigate({ to: ".", search: { tab: "deliveries", delivery: delivery.id } }),
  });
  return (
    <Button isBusy={send.isPending} onClick={() => send.mutate({ params: { id } })}>
      {t("webhook.test.action")}
    </Button>
  );
};

const Delete = ({ webhook: { id, url } }: { webhook: Webhook }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        {t("common.delete")}
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDeleteWebhook}
          input={{ params: { id } }}
          title={t("webhook.delete.title")}
          action={t("webhook.delete.action")}
          done={t("webhook.delete.done")}
          typed={url}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/webhooks", replace: true })}
        >
          {t("webhook.delete.text")}
        </Confirm>
      )}
    </>
  );
};

/** Shows the actions that this admin may take on a webhook. */
export const WebhookActions = ({ webhook }: { webhook: Webhook }) => {
  const { may } = useAccess();
  return (
    <>
      {may("webhook:retry") && <SendTest webhook={webhook} />}
      {may("webhook:update") && (
        <>
          <Edit webhook={webhook} />
          <Rotate webhook={webhook} />
          <PauseOrResume webhook={webhook} />
        </>
      )}
      {may("webhook:delete") && <Delete webhook={webhook} />}
    </>
  );
};
