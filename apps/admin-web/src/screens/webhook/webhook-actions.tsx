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
      label="Overlap of the former secret"
      description="Choose none if it has leaked."
      action="Rotate secret"
      secondsMax={overlapSecondsMax}
      change={rotate}
      onSubmit={(overlapSeconds) =>
        rotate.mutate({ params: { id: webhookId }, body: { overlapSeconds } })
      }
      onCancel={onCancel}
    >
      Requests have a signature of each secret during the overlap. Your application accepts them
      with either secret.
    </OverlapForm>
  );
  return (
    <SecretDialog
      title="Rotate secret"
      createdTitle="New secret created"
      created={rotated}
      isPending={rotate.isPending}
      onClose={onClose}
      form={form}
    >
      {({ secret }, kept) => (
        <NewSecret label="Signing secret" noun="secret" secret={secret} {...kept} />
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
    done: "Webhook saved.",
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
    <DialogForm form={form} action="Save" onClose={onClose}>
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
      title="Edit webhook"
      description="Events that wait are sent to the new URL."
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
      <Button onClick={() => setIsOpen(true)}>Edit</Button>
      {isOpen && <EditWebhook webhook={webhook} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const Rotate = ({ webhook }: { webhook: Webhook }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Rotate secret</Button>
      {isOpen && <RotateSecret webhookId={webhook.id} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const PauseOrResume = ({ webhook: { id, state } }: { webhook: Webhook }) => {
  const pause = useOperation(adminPauseWebhook, { done: "Webhook paused." });
  const resume = useOperation(adminResumeWebhook, { done: "Webhook resumed." });
  const [change, label] = state === "active" ? [pause, "Pause"] : [resume, "Resume"];
  return (
    <Button isBusy={change.isPending} onClick={() => change.mutate({ params: { id } })}>
      {label}
    </Button>
  );
};

const SendTest = ({ webhook: { id } }: { webhook: Webhook }) => {
  const navigate = useNavigate();
  const send = useOperation(adminTestWebhook, {
    done: "Test event queued.",
    // Opens the delivery, whose drawer shows the response as soon as it arrives.
    onDone: (delivery) =>
      navigate({ to: ".", search: { tab: "deliveries", delivery: delivery.id } }),
  });
  return (
    <Button isBusy={send.isPending} onClick={() => send.mutate({ params: { id } })}>
      Send test event
    </Button>
  );
};

const Delete = ({ webhook: { id, url } }: { webhook: Webhook }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDeleteWebhook}
          input={{ params: { id } }}
          title="Delete this webhook?"
          action="Delete webhook"
          done="Webhook deleted."
          typed={url}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/webhooks", replace: true })}
        >
          Its waiting events are not sent, and its deliveries are deleted. This cannot be undone. To
          stop it for a while, pause it.
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
