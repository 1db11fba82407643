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
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { SecretDialog } from "@latchkey/ui/secrets/secret-dialog.tsx";
import { useAccess } from "../../access/use-access.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { WebhookFields } from "../../components/webhooks/webhook-fields.tsx";
import { webhookRules } from "../../components/webhooks/webhook-rules.ts";
import { NewSecret } from "../../components/new-secret.tsx";
import { OverlapForm } from "../../components/overlap-form.tsx";
import { t } from "../../texts.ts";

const { adminRotateWebhookSecret } = operations.webhooks;

const overlapSecondsMax = 604_800;

interface RotateSecretProps {
  webhookId: string;
  onClose: () => void;
}

/** Replaces the secret of a webhook, and shows the new one once. */
const RotateSecret = ({ webhookId, onClose }: RotateSecretProps) => {
  const [rotated, setRotated] = useState<CallReply<typeof adminRotateWebhookSecret>>();
  const rotate = useOperation(adminRotateWebhookSecret, { showsError: true, onDone: setRotated });
  const form = (onCancel: () => void) => (
    <OverlapForm
      label={t("webhook.rotate.overlap")}
      description={t("webhook.rotate.overlapHint")}
      action={t("webhook.rotate.action")}
      secondsMax={overlapSecondsMax}
      change={rotate}
      onSubmit={(overlapSeconds) =>
        rotate.mutate({ params: { id: webhookId }, body: { overlapSeconds } })
      }
      onCancel={onCancel}
    >
      {t("webhook.rotate.text")}
    </OverlapForm>
  );
  return (
    <SecretDialog
      title={t("webhook.rotate.action")}
      createdTitle={t("webhook.rotate.done")}
      created={rotated}
      isPending={rotate.isPending}
      onClose={onClose}
      form={form}
    >
      {({ secret }, kept) => (
        <NewSecret label={t("webhook.secret")} kind="secret" secret={secret} {...kept} />
      )}
    </SecretDialog>
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
      {isOpen && <RotateSecret webhookId={webhook.id} onClose={() => setIsOpen(false)} />}
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
