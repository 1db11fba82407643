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
}

/** Filters a list by one of a few values, or by none. */
export const FilterSelect = <Value extends string>(props: FilterSelectProps<Value>) => {
  const { anyLabel, choices, value, onChange, ...rest } = props;
  return (
    <Select<Value | typeof allValues>
      {...rest}
      filter={{ isFilled: value !== undefined }}
      choices={[{ value: allValues, label: anyLabel }, ...choices]}
      value={value ?? allValues}
      onChange={(chosen) => onChange(chosen === allValues ? undefined : chosen)}
    />
  );
};
