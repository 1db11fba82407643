import { zodResolver } from "@hookform/resolvers/zod";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { t } from "../../texts.ts";

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, t("faults.enterName"))
    .max(40, t("faults.tooLong", { max: 40 })),
});

interface SaveViewProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onSave: (name: string) => void;
}

const SaveViewForm = ({ onOpenChange, onSave }: Omit<SaveViewProps, "isOpen">) => {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: "" },
    onSubmit: ({ name }) => {
      onSave(name);
      onOpenChange(false);
    },
  });
  return (
    <DialogForm form={form} action={t("users.views.save")} onClose={() => onOpenChange(false)}>
      <TextField {...form.field("name")} label={t("common.name")} autoComplete="off" autoFocus />
    </DialogForm>
  );
};

/** Asks for the name of a view. */
export const SaveView = ({ isOpen, ...rest }: SaveViewProps) => (
  <Dialog
    title={t("users.views.save")}
    description={t("users.views.text")}
    isOpen={isOpen}
    onOpenChange={rest.onOpenChange}
  >
    <SaveViewForm {...rest} />
  </Dialog>
);
