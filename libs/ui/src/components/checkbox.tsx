import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";

interface CheckboxProps extends Omit<ComponentProps<typeof Base.Root>, "className"> {
  /** The accessible name, if no `Field` or label provides one. */
  label?: string | undefined;
}

/** A checkbox with an indeterminate state. */
export const Checkbox = ({ label, ...rest }: CheckboxProps) => (
  <Base.Root
    {...rest}
    aria-label={label}
    className="flex size-4.5 shrink-0 items-center justify-center rounded border border-edge bg-surface data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55 data-indeterminate:border-accent data-indeterminate:bg-accent"
  >
    <Base.Indicator className="text-on-accent [&_svg]:size-3.5">
      {rest.indeterminate ? <Minus /> : <Check />}
    </Base.Indicator>
  </Base.Root>
);
