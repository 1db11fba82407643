import { zodResolver } from "@hookform/resolvers/zod";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name.").max(40, "Use at most 40 characters."),
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
    <DialogForm form={form} action="Save view" onClose={() => onOpenChange(false)}>
      <TextField {...form.field("name")} label="Name" autoComplete="off" autoFocus />
    </DialogForm>
  );
};

/** Asks for the name of a view. */
export const SaveView = ({ isOpen, ...rest }: SaveViewProps) => (
  <Dialog
    title="Save view"
    description="The current search, filters and order get a link in the navigation of this browser."
    isOpen={isOpen}
    onOpenChange={rest.onOpenChange}
  >
    <SaveViewForm {...rest} />
  </Dialog>
);
