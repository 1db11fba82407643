import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import type { ReactNode } from "react";
import { useTranslation } from "../../languages.ts";

interface OpenDialogProps {
  title: string;
  description?: ReactNode;
  /** The dialog contains long lines. */
  isWide?: boolean | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is open for as long as it is rendered. */
export const OpenDialog = (props: OpenDialogProps) => {
  const { title, description, isWide, onClose, children } = props;
  const t = useTranslation("account");
  return (
    <Dialog
      title={title}
      description={description}
      closeLabel={t("close")}
      isOpen
      className={isWide ? "max-w-2xl" : undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {children}
    </Dialog>
  );
};
