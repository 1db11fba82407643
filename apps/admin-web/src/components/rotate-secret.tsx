import type { ReactNode } from "react";
import type { Sending } from "@latchkey/ui/form/use-form.ts";
import { SecretDialog } from "@latchkey/ui/secrets/secret-dialog.tsx";
import { NewSecret } from "./new-secret.tsx";
import { OverlapForm } from "./overlap-form.tsx";
import { t } from "../texts.ts";

interface RotateSecretProps {
  /** The text that explains the change. */
  children: ReactNode;
  /** The label of the new secret. */
  label: string;
  /** The longest time in seconds that the old secret works beside the new one. */
  secondsMax: number;
  change: Sending;
  onSubmit: (overlapSeconds: number) => void;
  /** The new secret, once there is one. */
  secret: string | undefined;
  onClose: () => void;
}

/** Replaces a secret, and shows the new one once. */
export const RotateSecret = (props: RotateSecretProps) => {
  const { children, label, secondsMax, change, onSubmit, secret, onClose } = props;
  const form = (onCancel: () => void) => (
    <OverlapForm
      label={t("webhook.rotate.overlap")}
      description={t("webhook.rotate.overlapHint")}
      action={t("webhook.rotate.action")}
      secondsMax={secondsMax}
      change={change}
      onSubmit={onSubmit}
      onCancel={onCancel}
    >
      {children}
    </OverlapForm>
  );
  return (
    <SecretDialog
      title={t("webhook.rotate.action")}
      createdTitle={t("webhook.rotate.done")}
      created={secret === undefined ? undefined : { secret }}
      isPending={change.isPending}
      onClose={onClose}
      form={form}
    >
      {(created, kept) => <NewSecret label={label} kind="secret" {...created} {...kept} />}
    </SecretDialog>
  );
};
