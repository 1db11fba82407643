import { NewSecret as Secret } from "@latchkey/ui/secrets/new-secret.tsx";
import type { ComponentProps } from "react";
import { t } from "../texts.ts";

export interface NewSecretProps extends Omit<ComponentProps<typeof Secret>, "texts"> {
  /** The label of the secret: "API key". */
  label: string;
  /** The kind of the secret, which names it in texts. */
  kind: "key" | "secret";
}

/** Shows a new secret, which is available only here. */
export const NewSecret = ({ label, kind, ...rest }: NewSecretProps) => (
  <Secret
    {...rest}
    texts={{
      label,
      keep: t(`secret.${kind}.keep`),
      lost: t(`secret.${kind}.lost`),
      copy: t(`secret.${kind}.copy`),
      copied: t("secret.copied"),
      copyFailed: t("secret.copyFailed"),
      done: t("secret.done"),
    }}
  />
);
