import type { SignUpField } from "@latchkey/contracts";
import { inputStyle } from "@latchkey/ui/components/input-style.ts";
import { type ComponentProps, useId } from "react";
import { CheckField, TextField } from "../../components/fields.tsx";
import { fieldLabel } from "./field-values.ts";

const inputTypes = { string: "text", number: "number", date: "date" } as const;

interface AdditionalFieldProps extends Omit<ComponentProps<"input">, "className" | "type"> {
  field: SignUpField;
  error: string | undefined;
}

/** The control of an additional field of the installation. */
export const AdditionalField = ({ field, error, ...control }: AdditionalFieldProps) => {
  const id = useId();
  const { type, name } = field;
  const label = fieldLabel(name);
  if (type === "boolean") return <CheckField {...control} label={label} />;
  if (typeof type === "string")
    return (
      <TextField {...control} label={label} error={error} type={inputTypes[type]} step="any" />
    );
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        {...(control as ComponentProps<"select">)}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        className={`${inputStyle} h-10`}
      >
        <option value="" />
        {type.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
};
