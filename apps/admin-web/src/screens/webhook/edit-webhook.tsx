import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { changeOfWebhook, formOfWebhook } from "@latchkey/ui/webhooks/webhook-form.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import {
  webhookFaultFields,
  WebhookFields,
  webhookFieldNames,
} from "../../components/webhooks/webhook-fields.tsx";
import { webhookRules } from "../../components/webhooks/webhook-rules.ts";

interface EditWebhookProps {
  webhook: Webhook;
  onClose: () => void;
}

const draftOf = ({ id }: Webhook): string => `webhook.${id}`;

const EditForm = ({ webhook, onClose }: EditWebhookProps) => {
  // The values when editing began, so that the form sends only what the admin changes.
  const [before] = useState(() => formOfWebhook(webhook));
  const form = useForm({ resolver: zodResolver(webhookRules), defaultValues: before });
  useDraft({ form, name: draftOf(webhook), defaults: before });
  const update = useOperation(operations.webhooks.adminUpdateWebhook, {
    showsError: true,
    done: "Webhook saved.",
    onDone: onClose,
  });
  const faults = faultsOf(update.error, webhookFieldNames, webhookFaultFields);
  const save = form.handleSubmit((given) => {
    const body = changeOfWebhook(given, before);
    if (Object.keys(body).length === 0) return onClose();
    return update.mutate({ params: { id: webhook.id }, body });
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
      <WebhookFields form={form} faults={faults} />
      {update.error && Object.keys(faults).length === 0 && <FormError error={update.error} />}
      <DialogButtons action="Save" isBusy={update.isPending} onCancel={onClose} />
    </form>
  );
};

/** Edits the URL, the description, the contact and the events of a webhook. */
export const EditWebhook = ({ webhook, onClose }: EditWebhookProps) => {
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
