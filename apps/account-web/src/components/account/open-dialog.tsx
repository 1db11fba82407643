import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface OpenDialogProps {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is open for as long as it is rendered. */
export const OpenDialog = ({ title, description, onClose, children }: OpenDialogProps) => {
  const { t } = useTranslation("account");
  return (
    <Dialog
      title={title}
      description={description}
      closeLabel={t("close")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {children}
    </Dialog>
  );
};
