import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DialogForm } from "../../components/account/dialog-form.tsx";
import { SecretDialog } from "../../components/account/secret-dialog.tsx";
import { SelectField } from "../../components/account/select-field.tsx";
import { useAct } from "../../components/account/use-act.ts";
import type { WebhookProps } from "./webhook.ts";

const { rotateOrganizationWebhookSecret } = operations.webhooks;

/** For how long the former secret signs too, in seconds. */
const overlaps = { none: 0, hour: 3600, day: 86_400, week: 604_800 } as const;
const overlapNames = ["none", "hour", "day", "week"] as const;

interface RotateSecretProps extends WebhookProps {
  onClose: () => void;
}

interface RotateFormProps extends RotateSecretProps {
  rotate: ReturnType<typeof useAct<typeof rotateOrganizationWebhookSecret>>;
}

const RotateForm = ({ webhook, organizationId, rotate, onClose }: RotateFormProps) => {
  const { t } = useTranslation("webhooks");
  const { register, handleSubmit } = useForm<{ overlap: keyof typeof overlaps }>({
    defaultValues: { overlap: "day" },
  });
  return (
    <DialogForm
      action={t("rotate.action")}
      change={rotate}
      onSubmit={handleSubmit(({ overlap }) =>
        rotate.mutate({
          body: { webhookId: webhook.id, organizationId, overlapSeconds: overlaps[overlap] },
        }),
      )}
      onClose={onClose}
    >
      <p className="text-muted">{t("rotate.text")}</p>
      <SelectField
        {...register("overlap")}
        label={t("rotate.overlap")}
        choices={overlapNames.map((name) => ({ value: name, label: t(`rotate.${name}`) }))}
      />
    </DialogForm>
  );
};

/** Replaces the secret of a webhook, and shows the new one once. */
export const RotateSecret = (props: RotateSecretProps) => {
  const { t } = useTranslation("webhooks");
  const [rotated, setRotated] = useState<CallReply<typeof rotateOrganizationWebhookSecret>>();
  const rotate = useAct(rotateOrganizationWebhookSecret, { onDone: setRotated });
  const form = (close: () => void) => <RotateForm {...props} rotate={rotate} onClose={close} />;
  return (
    <SecretDialog
      title={t("rotate.action")}
      createdTitle={t("rotate.done")}
      label={t("secret")}
      created={rotated}
      secretOf={({ secret }) => secret}
      isPending={rotate.isPending}
      onClose={props.onClose}
      form={form}
    />
  );
};
