import { operations } from "@latchkey/ui/api/contracts.ts";
import { changeOfWebhook, formOfWebhook } from "@latchkey/ui/webhooks/webhook-form.ts";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { isAboutUrl, WebhookFields } from "../../components/webhooks/webhook-fields.tsx";
import type { WebhookProps } from "./webhook.ts";

interface EditWebhookProps extends WebhookProps {
  onClose: () => void;
}

/** Edits the URL, the description, the contact and the events of a webhook. */
export const EditWebhook = ({ webhook, organizationId, onClose }: EditWebhookProps) => {
  const { t } = useTranslation("webhooks");
  // The values when editing began, so that the form sends only what the user changes.
  const [before] = useState(() => formOfWebhook(webhook));
  const form = useForm({ defaultValues: before });
  const update = useAct(operations.webhooks.updateOrganizationWebhook, {
    done: t("edit.done"),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t("edit.title")}
      description={t("edit.text")}
      isWide
      action={t("edit.save")}
      change={isAboutUrl(update.error) ? { ...update, error: null } : update}
      onSubmit={form.handleSubmit((given) => {
        const change = changeOfWebhook(given, before);
        if (Object.keys(change).length === 0) return onClose();
        return update.mutate({ body: { webhookId: webhook.id, organizationId, ...change } });
      })}
      onClose={onClose}
    >
      <WebhookFields form={form} organizationId={organizationId} refusal={update.error} />
    </FormDialog>
  );
};
