import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

interface RotateDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a new signing key after explaining the consequences. */
export const RotateDialog = ({ isOpen, onOpenChange }: RotateDialogProps) =>
  isOpen && (
    <Confirm
      operation={operations.identity.adminRotateSigningKeys}
      input={{}}
      title={t("signingKeys.rotate.title")}
      action={t("signingKeys.rotate.action")}
      done={({ key }) =>
        t(key.state === "next" ? "signingKeys.rotate.soon" : "signingKeys.rotate.now", {
          id: key.id,
        })
      }
      onClose={() => onOpenChange(false)}
    >
      <p>{t("signingKeys.rotate.text")}</p>
      <p className="mt-2">{richText("signingKeys.rotate.warning", { path: <code>/jwks</code> })}</p>
    </Confirm>
  );
