import type { FormOf } from "@latchkey/ui/form/use-form.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { type KeyForm, type WindowUnit, windowUnits } from "./key-form.ts";
import { t } from "../../texts.ts";

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
  { value: "own", label: t("keyForm.ownRate") },
  { value: "none", label: t("keyForm.noRate") },
] as const;

const allRates = [{ value: "default", label: t("keyForm.defaultRate") }, ...ownRates] as const;

const units = (Object.keys(windowUnits) as WindowUnit[]).map((value) => ({
  value,
  label: t(`keyForm.units.${value}`),
}));

const RateFields = ({ hasDefault, ...props }: LimitFieldsProps) => {
  const { choice } = props.form;
  const rate = choice("rate");
  return (
    <>
      <Field label={t("keyForm.rate")}>
        <Select choices={hasDefault ? allRates : ownRates} {...rate} />
      </Field>
      {rate.value === "own" && (
        <div className="flex items-start gap-3">
          <KeyTextField {...props} name="rateMax" label={t("keyForm.rateMax")} />
          <KeyTextField {...props} name="rateWindow" label={t("keyForm.rateWindow")} />
          <Field label={t("keyForm.rateUnit")} className="w-32">
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
      <KeyTextField
        {...props}
        name="remaining"
        label={t("keyForm.uses")}
        hint={t("keyForm.usesHint")}
      />
      <KeyTextField {...props} name="refillAmount" label={t("keyForm.refillTo")} />
      <KeyTextField {...props} name="refillDays" label={t("keyForm.refillEvery")} />
    </div>
    <RateFields {...props} />
  </>
);

export const PermissionsField = ({ form }: KeyFieldsProps) => (
  <TextAreaField
    {...form.field("permissions")}
    label={t("common.permissions")}
    hint={t("keyForm.permissionsHint")}
    spellCheck={false}
  />
);

export const MetadataField = ({ form }: KeyFieldsProps) => (
  <TextAreaField
    {...form.field("metadata")}
    label={t("common.metadata")}
    hint={t("keyForm.metadataHint")}
    spellCheck={false}
    isCode
  />
);
