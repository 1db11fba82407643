import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";

interface CheckboxProps extends Pick<ComponentProps<"input">, "id" | "disabled"> {
  /** The accessible name, if no label provides one. */
  label?: string | undefined;
  checked: boolean;
  indeterminate?: boolean | undefined;
  onCheckedChange: (isChecked: boolean) => void;
}

/** A checkbox with an indeterminate state. It is the browser's own, because lists show one in each row. */
export const Checkbox = (props: CheckboxProps) => {
  const { label, checked, indeterminate = false, onCheckedChange, ...rest } = props;
  const Mark = indeterminate ? Minus : Check;
  return (
    <span className="relative inline-flex size-4.5 shrink-0 align-middle">
      <input
        type="checkbox"
        {...rest}
        // Only a script can set this state.
        ref={(input) => {
          if (input) input.indeterminate = indeterminate;
        }}
        aria-label={label}
        checked={checked}
        onChange={({ target }) => onCheckedChange(target.checked)}
        className="peer absolute inset-0 m-0 size-auto appearance-none opacity-0 max-sm:-inset-2.75"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none size-full rounded-sm border border-edge bg-surface outline-offset-2 transition-colors peer-checked:border-accent-edge peer-checked:bg-accent peer-indeterminate:border-accent-edge peer-indeterminate:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-link peer-disabled:opacity-55"
      />
      {(checked || indeterminate) && (
        <Mark
          aria-hidden="true"
          className="pointer-events-none absolute inset-0.5 size-3.5 text-on-accent"
        />
      )}
    </span>
  );
};
