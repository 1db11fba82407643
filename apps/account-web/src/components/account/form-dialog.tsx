import { DialogForm, type DialogFormProps } from "@latchkey/ui/form/form.tsx";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import type { ReactNode } from "react";
import { useTranslation } from "../../languages.ts";
import { OpenDialog } from "./open-dialog.tsx";

interface FormDialogProps extends Omit<DialogFormProps, "cancelLabel"> {
  title: string;
  description?: ReactNode;
  isWide?: boolean | undefined;
}

/** A dialog with a form. It stays open until its change succeeds, and says why it was refused. */
export const FormDialog = ({ title, description, isWide, ...form }: FormDialogProps) => {
  const t = useTranslation("page");
  return (
    <OpenDialog title={title} description={description} isWide={isWide} onClose={form.onClose}>
      <DialogForm {...form} cancelLabel={t("cancel")} />
    </OpenDialog>
  );
};

interface ConfirmDialogProps extends Omit<FormDialogProps, "form" | "children" | "isDangerous"> {
  change: Sending;
  onConfirm: () => void;
}

/** Asks for a confirmation of a change that ends something. */
export const ConfirmDialog = ({ change, onConfirm, ...dialog }: ConfirmDialogProps) => {
  const form = useForm({ change, onSubmit: onConfirm });
  return <FormDialog {...dialog} form={form} isDangerous />;
};
