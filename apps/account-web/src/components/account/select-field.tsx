import { inputStyle } from "@latchkey/ui/components/input-style.ts";
import { type ComponentProps, type ReactNode, useId } from "react";

interface SelectFieldProps extends Omit<ComponentProps<"select">, "className" | "children"> {
  label: ReactNode;
  choices: readonly { readonly value: string; readonly label: string }[];
}

/** Chooses one of a few values. */
export const SelectField = ({ label, choices, ...select }: SelectFieldProps) => {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select {...select} id={id} className={`${inputStyle} h-10`}>
        {choices.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
};
