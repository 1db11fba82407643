import type { Operation } from "@latchkey/contracts";
import { zodResolver } from "@hookform/resolvers/zod";
import type { CallInput } from "@latchkey/ui/api/call.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { editableFields } from "../../components/fields/field-text.ts";
import {
  changedFields,
  fieldPaths,
  fieldTexts,
  type FieldTexts,
  FormFields,
} from "../../components/fields/form-fields.tsx";
import { useOption } from "../../components/use-option.ts";
import { t } from "../../texts.ts";
import type { Team } from "./use-organization.ts";

interface TeamFormProps<O extends Operation> {
  operation: O;
  /** Returns the input for a name and the values of changed additional fields. */
  inputOf: (values: { name: string; fields: Record<string, unknown> }) => CallInput<O>;
  title: string;
  action: string;
  /** The team that is changed. Undefined for a new one. */
  team?: Team | undefined;
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

interface TeamValues {
  name: string;
  fields: FieldTexts;
}

const Form = <O extends Operation>(props: TeamFormProps<O>) => {
  const { operation, inputOf, action, team, done, onClose } = props;
  const fields = editableFields(useOption("organization.schema.team.additionalFields"));
  const saved = fieldTexts(fields, team);
  const change = useOperation(operation, {
    showsError: true,
    done: (): string => done(form.getValues("name").trim()),
    onDone: onClose,
  });
  const form = useForm<TeamValues, { name: string; fields: Record<string, unknown> }>({
    resolver: zodResolver(teamForm.extend({ fields: changedFields(fields, saved) })),
    defaultValues: { name: team?.name ?? "", fields: saved },
    change,
    fieldOf: fieldPaths(fields),
    onSubmit: (values) => change.mutate(inputOf(values)),
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
      <FormFields fields={fields} form={form} />
    </DialogForm>
  );
};

/** Asks for the name and the additional fields of a team, to create or change it. */
export const TeamForm = <O extends Operation>(props: TeamFormProps<O>) => (
  <Dialog title={props.title} isOpen onOpenChange={(isOpen) => !isOpen && props.onClose()}>
    <Form {...props} />
  </Dialog>
);
