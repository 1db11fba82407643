import type { Operation } from "@latchkey/contracts";
import { zodResolver } from "@hookform/resolvers/zod";
import type { CallInput } from "@latchkey/ui/api/call.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { t } from "../../texts.ts";

interface TeamFormProps<O extends Operation> {
  operation: O;
  inputOf: (name: string) => CallInput<O>;
  title: string;
  action: string;
  /** The name to begin with. */
  name: string;
  done: (name: string) => string;
  onClose: () => void;
}

const nameMax = 255;

const teamForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, t("faults.enterName"))
    .max(nameMax, t("faults.tooLong", { max: nameMax })),
});

const Form = <O extends Operation>(props: TeamFormProps<O>) => {
  const { operation, inputOf, action, done, onClose } = props;
  const change = useOperation(operation, {
    showsError: true,
    done: (): string => done(form.getValues("name").trim()),
    onDone: onClose,
  });
  const form = useForm<z.output<typeof teamForm>>({
    resolver: zodResolver(teamForm),
    defaultValues: { name: props.name },
    change,
    onSubmit: ({ name }) => change.mutate(inputOf(name)),
  });
  return (
    <DialogForm form={form} action={action} onClose={onClose}>
      <TextField
        {...form.field("name")}
        label={t("common.name")}
        autoComplete="off"
        dir="auto"
        autoFocus
      />
    </DialogForm>
  );
};

/** Asks for the name of a team, to create or rename it. */
export const TeamForm = <O extends Operation>(props: TeamFormProps<O>) => (
  <Dialog title={props.title} isOpen onOpenChange={(isOpen) => !isOpen && props.onClose()}>
    <Form {...props} />
  </Dialog>
);
