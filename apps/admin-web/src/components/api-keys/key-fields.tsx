import { Controller, type UseFormReturn } from "react-hook-form";
import type { Faults } from "../../api/faults-of.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { Textarea } from "@latchkey/ui/components/textarea.tsx";
import { type KeyForm, type WindowUnit, windowUnits } from "./key-form.ts";

export interface KeyFieldsProps {
  form: UseFormReturn<KeyForm>;
  /** The validation errors of the server. */
  faults: Faults<keyof KeyForm>;
}

interface TextFieldProps extends KeyFieldsProps {
  name: keyof KeyForm;
  label: string;
  description?: string;
}

export const TextField = ({ form, faults, name, label, description }: TextFieldProps) => {
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

const ownRates = [
  { value: "own", label: "Custom rate limit" },
  { value: "none", label: "No rate limit" },
] as const;

const allRates = [{ value: "default", label: "Default rate limit" }, ...ownRates] as const;

const units = (Object.keys(windowUnits) as WindowUnit[]).map((value) => ({
  value,
  label: `${value}s`,
}));

const RateFields = ({ hasDefault, ...props }: LimitFieldsProps) => {
  const { control, watch } = props.form;
  return (
    <>
      <Field label="Rate limit">
        <Controller
          control={control}
          name="rate"
          render={({ field }) => (
            <Select
              choices={hasDefault ? allRates : ownRates}
              value={field.value}
              onChange={field.onChange}
            />
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

interface LimitFieldsProps extends KeyFieldsProps {
  /** Whether the key may have the rate limit of the options. A key that exists has its own. */
  hasDefault: boolean;
}

/** The fields of the limits of a key, except its expiry. */
export const LimitFields = (props: LimitFieldsProps) => (
  <>
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
  </>
);

export const PermissionsField = ({ form, faults }: KeyFieldsProps) => (
  <Field
    label="Permissions"
    description="One resource per line with its actions, such as files: read, write"
    error={form.formState.errors.permissions?.message ?? faults.permissions}
  >
    <Textarea {...form.register("permissions")} spellCheck={false} className="min-h-16" />
  </Field>
);

export const MetadataField = ({ form, faults }: KeyFieldsProps) => (
  <Field
    label="Metadata"
    description="JSON that your application stores with the key."
    error={form.formState.errors.metadata?.message ?? faults.metadata}
  >
    <Textarea
      {...form.register("metadata")}
      spellCheck={false}
      className="min-h-16 font-mono text-xs"
    />
  </Field>
);
