import type { ReactNode } from "react";
import { DialogForm, type DialogFormProps } from "./dialog-form.tsx";
import { OpenDialog } from "./open-dialog.tsx";

interface FormDialogProps extends DialogFormProps {
  title: string;
  description?: ReactNode;
  isWide?: boolean | undefined;
}

/** A dialog with a form. It stays open until its change succeeds, and says why it was refused. */
export const FormDialog = ({ title, description, isWide, ...form }: FormDialogProps) => (
  <OpenDialog title={title} description={description} isWide={isWide} onClose={form.onClose}>
    <DialogForm {...form} />
  </OpenDialog>
);
