import { zodResolver } from "@hookform/resolvers/zod";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { emptyWebhookForm, webhookBody } from "@latchkey/ui/webhooks/webhook-form.ts";
import { useAccess } from "../../access/use-access.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { NewSecret } from "../../components/new-secret.tsx";
import { OrganizationPicker } from "../../components/organizations/organization-picker.tsx";
import { useKeptSecret } from "@latchkey/ui/secrets/use-kept-secret.ts";
import { WebhookFields } from "../../components/webhooks/webhook-fields.tsx";
import { webhookRules } from "../../components/webhooks/webhook-rules.ts";
import { t } from "../../texts.ts";

const { adminCreateWebhook } = operations.webhooks;
const draft = "create-webhook";

interface CreateFormProps {
  create: ReturnType<typeof useOperation<typeof adminCreateWebhook>>;
  onClose: () => void;
}

const CreateForm = ({ create, onClose }: CreateFormProps) => {
  const { may } = useAccess();
  const [organization, setOrganization] = useState<Choice | null>(null);
  const form = useForm({
    resolver: zodResolver(webhookRules),
    defaultValues: emptyWebhookForm,
    change: create,
    onSubmit: (given) =>
      create.mutate({
        body: {
          ...webhookBody(given),
          ...(organization && { organizationId: organization.value }),
        },
      }),
  });
  useDraft({ form, name: draft, defaults: emptyWebhookForm });
  const hasOrganizations =
    may("organization:list") && isOffered(operations.organization.adminListOrganizations);
  return (
    <DialogForm form={form} action={t("palette.createWebhook")} onClose={onClose}>
      <WebhookFields form={form} />
      {hasOrganizations && (
        <Field label={t("common.organization")} description={t("webhooks.create.organizationHint")}>
          <OrganizationPicker value={organization} onChange={setOrganization} />
        </Field>
      )}
    </DialogForm>
  );
};

interface CreateWebhookProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a webhook, shows its secret once, and protects it from being lost by accident. */
export const CreateWebhook = ({ isOpen, onOpenChange }: CreateWebhookProps) => {
  const close = () => onOpenChange(false);
  const [created, setCreated] = useState<CallReply<typeof adminCreateWebhook>>();
  const giveUp = () => {
    discardDraft(draft);
    close();
  };
  const create = useOperation(adminCreateWebhook, {
    showsError: true,
    onDone: (webhook) => {
      discardDraft(draft);
      setCreated(webhook);
    },
  });
  const { isWarned, onCopied } = useKeptSecret(created, create.isPending);
  return (
    <Dialog
      title={created ? t("webhooks.create.done") : t("palette.createWebhook")}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
      className={created ? "max-w-xl" : "max-w-2xl"}
    >
      {created ? (
        <NewSecret
          label={t("webhook.secret")}
          kind="secret"
          secret={created.secret}
          isWarned={isWarned}
          onCopied={onCopied}
          onClose={close}
          link={
            <Link
              to="/webhooks/$webhookId"
              params={{ webhookId: created.id }}
              // Replaces the history entry, so that the back button returns to the list and not to the dialog.
              replace
              className={buttonStyle()}
            >
              {t("webhooks.create.view")}
            </Link>
          }
        />
      ) : (
        <CreateForm create={create} onClose={giveUp} />
      )}
    </Dialog>
  );
};
