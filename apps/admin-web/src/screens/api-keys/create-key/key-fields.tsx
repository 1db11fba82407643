import { Controller, type UseFormReturn } from "react-hook-form";
import type { Faults } from "../../../api/faults-of.ts";
import { Field } from "../../../components/ui/field.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { Textarea } from "../../../components/ui/textarea.tsx";
import { type KeyForm, type WindowUnit, windowUnits } from "./key-form.ts";

interface KeyFieldsProps {
  form: UseFormReturn<KeyForm>;
  /** The validation errors of the server. */
  faults: Faults<keyof KeyForm>;
}

interface TextFieldProps extends KeyFieldsProps {
  name: keyof KeyForm;
  label: string;
  description?: string;
}

const TextField = ({ form, faults, name, label, description }: TextFieldProps) => {
  const error = form.formState.errors[name]?.message ?? faults[name];
  const isNumber = !["name", "prefix"].includes(name);
  return (
    <Field label={label} description={description} error={error} className="min-w-0 flex-1">
      <Input
        {...form.register(name)}
        autoComplete="off"
        spellCheck={false}
        inputMode={isNumber ? "numeric" : undefined}
      />
    </Field>
  );
};

const rates = [
  { value: "default", label: "Default rate limit" },
  { value: "own", label: "Custom rate limit" },
  { value: "none", label: "No rate limit" },
] as const;

const units = (Object.keys(windowUnits) as WindowUnit[]).map((value) => ({
  value,
  label: `${value}s`,
}));

const RateFields = (props: KeyFieldsProps) => {
  const { control, watch } = props.form;
  return (
    <>
      <Field label="Rate limit">
        <Controller
          control={control}
          name="rate"
          render={({ field }) => (
            <Select choices={rates} value={field.value} onChange={field.onChange} />
          )}
        />
      </Field>
      {watch("rate") === "own" && (
        <div className="flex items-start gap-3">
          <TextField {...props} name="rateMax" label="Maximum uses" />
          <TextField {...props} name="rateWindow" label="Time window" />
          <Field label="Unit" className="w-32">
            <Controller
              control={control}
              name="rateUnit"
              render={({ field }) => (
                <Select choices={units} value={field.value} onChange={field.onChange} />
              )}
            />
          </Field>
        </div>
      )}
    </>
  );
};

/** The fields of a new key except its owner. */
export const KeyFields = (props: KeyFieldsProps) => {
  const { form, faults } = props;
  const fault = form.formState.errors.permissions?.message ?? faults.permissions;
  return (
    <>
      <div className="flex items-start gap-3">
        <TextField
          {...props}
          name="name"
          label="Name"
          description="Shown in lists and in the audit log."
        />
        <TextField
          {...props}
          name="prefix"
          label="Prefix"
          description="The key starts with this text."
        />
      </div>
      <div className="flex items-start gap-3">
        <TextField
          {...props}
          name="remaining"
          label="Uses"
          description="Leave blank for unlimited."
        />
        <TextField {...props} name="refillAmount" label="Refill to" />
        <TextField {...props} name="refillDays" label="Refill every (days)" />
      </div>
      <RateFields {...props} />
      <TextField
        {...props}
        name="expiresInDays"
        label="Expires in (days)"
        description="Leave blank for the default."
      />
      <Field
        label="Permissions"
        description="One resource per line with its actions, such as files: read, write"
        error={fault}
      >
        <Textarea {...form.register("permissions")} spellCheck={false} className="min-h-16" />
      </Field>
    </>
  );
};
