import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import type { ExportDialogProps } from "./export-dialog.tsx";
import { t } from "../../texts.ts";

const ExportDialog = lazyDialog(
  async () => (await import("./export-dialog.tsx")).ExportDialog<unknown>,
) as <Row>(props: ExportDialogProps<Row>) => ReactNode; // a component with any rows

/** A button that exports a list to a file, in a dialog. */
export const ExportButton = <Row,>(
  props: Omit<ExportDialogProps<Row>, "isOpen" | "onOpenChange">,
) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton label={t("exports.action")} onClick={() => setIsOpen(true)}>
        <Download />
      </IconButton>
      <ExportDialog {...props} isOpen={isOpen} onOpenChange={setIsOpen} />
    </>
  );
};
