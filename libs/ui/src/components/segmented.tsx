import { useId } from "react";

interface SegmentedProps<Value extends string> {
  label: string;
  choices: readonly { readonly value: Value; readonly label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Chooses one of two or three views, all of which are in sight. */
export const Segmented = <Value extends string>(props: SegmentedProps<Value>) => {
  const { label, choices, value, onChange } = props;
  const name = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="flex max-w-full self-start rounded-md bg-pressed p-0.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative flex h-8 min-w-0 cursor-pointer items-center rounded-sm px-3 text-sm font-medium text-muted transition-colors hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-link max-sm:h-10"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="sr-only"
            />
            <span className="truncate">{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
