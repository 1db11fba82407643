import type { FormOf } from "@latchkey/ui/form/use-form.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { type KeyForm, type WindowUnit, windowUnits } from "./key-form.ts";

export interface KeyFieldsProps {
  form: Pick<FormOf<KeyForm>, "field" | "choice" | "errorOf">;
}

interface KeyTextFieldProps extends KeyFieldsProps {
  name: keyof KeyForm;
  label: string;
  hint?: string;
}

/** A text or number of a key. */
export const KeyTextField = ({ form, name, label, hint }: KeyTextFieldProps) => (
  <TextField
    {...form.field(name)}
    label={label}
    hint={hint}
    className="min-w-0 flex-1"
    autoComplete="off"
    spellCheck={false}
    inputMode={["name", "prefix"].includes(name) ? undefined : "numeric"}
  />
);

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
  const { choice } = props.form;
  const rate = choice("rate");
  return (
    <>
      <Field label="Rate limit">
        <Select choices={hasDefault ? allRates : ownRates} {...rate} />
      </Field>
      {rate.value === "own" && (
        <div className="flex items-start gap-3">
          <KeyTextField {...props} name="rateMax" label="Maximum uses" />
          <KeyTextField {...props} name="rateWindow" label="Time window" />
          <Field label="Unit" className="w-32">
            <Select choices={units} {...choice("rateUnit")} />
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
      <KeyTextField {...props} name="remaining" label="Uses" hint="Leave blank for unlimited." />
      <KeyTextField {...props} name="refillAmount" label="Refill to" />
      <KeyTextField {...props} name="refillDays" label="Refill every (days)" />
    </div>
    <RateFields {...props} />
  </>
);

export const PermissionsField = ({ form }: KeyFieldsProps) => (
  <TextAreaField
    {...form.field("permissions")}
    label="Permissions"
    hint="One resource per line with its actions, such as files: read, write"
    spellCheck={false}
  />
);

export const MetadataField = ({ form }: KeyFieldsProps) => (
  <TextAreaField
    {...form.field("metadata")}
    label="Metadata"
    hint="JSON that your application stores with the key."
    spellCheck={false}
    isCode
  />
);
