import { operations } from "@latchkey/ui/api/contracts.ts";
import { changeOfWebhook, formOfWebhook } from "@latchkey/ui/webhooks/webhook-form.ts";
import { useState } from "react";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { WebhookFields } from "../../components/webhooks/webhook-fields.tsx";
import { useTranslation } from "../../languages.ts";
import type { WebhookProps } from "./webhook.ts";

interface EditWebhookProps extends WebhookProps {
  onClose: () => void;
}

/** Edits the URL, the description, the contact and the events of a webhook. */
export const EditWebhook = ({ webhook, organizationId, onClose }: EditWebhookProps) => {
  const t = useTranslation("webhooks");
  // The values when editing began, so that the form sends only what the user changes.
  const [before] = useState(() => formOfWebhook(webhook));
  const update = useOperation(operations.webhooks.updateOrganizationWebhook, {
    done: t("edit.done"),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: before,
    change: update,
    onSubmit: (given) => {
      const change = changeOfWebhook(given, before);
      if (Object.keys(change).length === 0) return onClose();
      return update.mutate({ body: { webhookId: webhook.id, organizationId, ...change } });
    },
  });
  return (
    <FormDialog
      form={form}
      title={t("edit.title")}
      description={t("edit.text")}
      isWide
      action={t("edit.save")}
      onClose={onClose}
    >
      <WebhookFields form={form} organizationId={organizationId} />
    </FormDialog>
  );
};
