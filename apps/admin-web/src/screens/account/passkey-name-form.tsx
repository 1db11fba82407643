import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";

const nameForm = z.object({
  name: z.string().trim().min(1, "Enter a name.").max(64, "Use at most 64 characters."),
});

interface PasskeyNameFormProps {
  name: string;
  action: string;
  error: Error | null;
  isBusy: boolean;
  onSubmit: (name: string) => void;
  onCancel: () => void;
}

/** Asks for the name of a passkey. */
export const PasskeyNameForm = (props: PasskeyNameFormProps) => {
  const { name, action, error, isBusy, onSubmit, onCancel } = props;
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(nameForm),
    defaultValues: { name },
  });
  const faults = faultsOf(error, ["name"]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((given) => onSubmit(given.name))(event)}
    >
      <Field
        label="Name"
        description="For example, the device that stores it."
        error={formState.errors.name?.message ?? faults.name}
      >
        <Input {...register("name")} autoComplete="off" dir="auto" autoFocus />
      </Field>
      {error && !faults.name && <FormError error={error} />}
      <DialogButtons action={action} isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
};
