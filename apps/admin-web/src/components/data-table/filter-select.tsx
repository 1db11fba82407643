import { classNames } from "@latchkey/ui/components/class-names.ts";
import { type Choice, Select } from "@latchkey/ui/components/select.tsx";

/** Stands for all values. No value is empty. */
const allValues = "";

interface FilterSelectProps<Value extends string> {
  label: string;
  /** The label of the choice of all values: "Any state". */
  anyLabel: string;
  choices: readonly Choice<Value>[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  className: string;
}

/** Filters a list by one of a few values, or by none. */
export const FilterSelect = <Value extends string>(props: FilterSelectProps<Value>) => {
  const { anyLabel, choices, value, onChange, className, ...rest } = props;
  return (
    <Select<Value | typeof allValues>
      {...rest}
      className={classNames(className, value !== undefined && "border-accent bg-accent-soft")}
      choices={[{ value: allValues, label: anyLabel }, ...choices]}
      value={value ?? allValues}
      onChange={(chosen) => onChange(chosen === allValues ? undefined : chosen)}
    />
  );
};
