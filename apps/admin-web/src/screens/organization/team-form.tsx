import type { Operation } from "@latchkey/contracts";
import { useState } from "react";
import type { CallInput } from "@latchkey/ui/api/call.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";

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

const nameFault = (name: string): string | undefined => {
  if (name === "") return "Enter a name.";
  return name.length > nameMax ? `Use at most ${nameMax} characters.` : undefined;
};

const Form = <O extends Operation>(props: TeamFormProps<O>) => {
  const { operation, inputOf, action, done, onClose } = props;
  const [name, setName] = useState(props.name);
  const [isTried, setIsTried] = useState(false);
  const change = useOperation(operation, {
    showsError: true,
    done: () => done(name.trim()),
    onDone: onClose,
  });
  const fault = nameFault(name.trim());
  const faults = faultsOf(change.error, ["name"]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (!fault) change.mutate(inputOf(name.trim()));
      }}
    >
      <Field label="Name" error={isTried && fault ? fault : faults.name}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          dir="auto"
          autoFocus
        />
      </Field>
      {change.error && !faults.name && <FormError error={change.error} />}
      <DialogButtons action={action} isBusy={change.isPending} onCancel={onClose} />
    </form>
  );
};

/** Asks for the name of a team, to create or rename it. */
export const TeamForm = <O extends Operation>(props: TeamFormProps<O>) => (
  <Dialog title={props.title} isOpen onOpenChange={(isOpen) => !isOpen && props.onClose()}>
    <Form {...props} />
  </Dialog>
);
