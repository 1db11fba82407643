import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { emptyWebhookForm, webhookBody } from "@latchkey/ui/webhooks/webhook-form.ts";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DialogForm } from "../../components/account/dialog-form.tsx";
import { SecretDialog } from "../../components/account/secret-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { isAboutUrl, WebhookFields } from "../../components/webhooks/webhook-fields.tsx";

const { createOrganizationWebhook } = operations.webhooks;

interface CreateFormProps {
  organizationId: string;
  create: ReturnType<typeof useAct<typeof createOrganizationWebhook>>;
  onClose: () => void;
}

const CreateForm = ({ organizationId, create, onClose }: CreateFormProps) => {
  const { t } = useTranslation("webhooks");
  const form = useForm({ defaultValues: emptyWebhookForm });
  return (
    <DialogForm
      action={t("create")}
      change={isAboutUrl(create.error) ? { ...create, error: null } : create}
      onSubmit={form.handleSubmit((given) =>
        create.mutate({ body: { ...webhookBody(given), organizationId } }),
      )}
      onClose={onClose}
    >
      <WebhookFields form={form} organizationId={organizationId} refusal={create.error} />
    </DialogForm>
  );
};

interface CreateWebhookProps {
  organizationId: string;
  onClose: () => void;
}

/** Creates a webhook, and shows its secret once. */
export const CreateWebhook = ({ organizationId, onClose }: CreateWebhookProps) => {
  const { t } = useTranslation("webhooks");
  const [created, setCreated] = useState<CallReply<typeof createOrganizationWebhook>>();
  const create = useAct(createOrganizationWebhook, { onDone: setCreated });
  const form = (close: () => void) => (
    <CreateForm organizationId={organizationId} create={create} onClose={close} />
  );
  return (
    <SecretDialog
      title={t("create")}
      createdTitle={t("created")}
      label={t("secret")}
      created={created}
      secretOf={({ secret }) => secret}
      isPending={create.isPending}
      onClose={onClose}
      form={form}
    />
  );
};
