import { Link } from "@tanstack/react-router";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { NewSecret, type NewSecretProps } from "../new-secret.tsx";
import { t } from "../../texts.ts";

interface NewKeyProps extends Pick<NewSecretProps, "isWarned" | "onCopied" | "onClose"> {
  created: { readonly id: string; readonly key: string };
}

/** Shows the text of a new key, which is available only here. */
export const NewKey = ({ created, ...rest }: NewKeyProps) => (
  <NewSecret
    {...rest}
    label={t("common.apiKey")}
    kind="key"
    secret={created.key}
    link={
      <Link
        to="/api-keys/$keyId"
        params={{ keyId: created.id }}
        // Replaces the history entry, so that the back button returns to the list and not to the dialog.
        replace
        className={buttonStyle()}
      >
        {t("apiKeys.viewKey")}
      </Link>
    }
  />
);
