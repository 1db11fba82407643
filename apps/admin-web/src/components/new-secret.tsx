import { NewSecret as Secret } from "@latchkey/ui/secrets/new-secret.tsx";
import type { ComponentProps } from "react";

export interface NewSecretProps extends Omit<ComponentProps<typeof Secret>, "texts"> {
  /** The label of the secret: "API key". */
  label: string;
  /** The noun in sentences and on the button: "key". */
  noun: string;
}

/** Shows a new secret, which is available only here. */
export const NewSecret = ({ label, noun, ...rest }: NewSecretProps) => (
  <Secret
    {...rest}
    texts={{
      label,
      keep: `Copy the ${noun} now and store it in a safe place. It cannot be shown again.`,
      lost: `You have not copied the ${noun}. It cannot be shown again. Close again to discard it.`,
      copy: `Copy ${noun}`,
      copied: "Copied.",
      copyFailed: "The browser blocked copying. Copy the selected text manually.",
      done: "Done",
    }}
  />
);
