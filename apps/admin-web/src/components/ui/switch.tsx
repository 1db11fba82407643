import { Switch as Base } from "@base-ui/react/switch";
import type { ComponentProps } from "react";

interface SwitchProps extends Omit<ComponentProps<typeof Base.Root>, "className"> {
  /** The accessible name, where no `Field` or label gives one. */
  label?: string | undefined;
}

/** Something that is on or off at once. */
export const Switch = ({ label, ...rest }: SwitchProps) => (
  <Base.Root
    {...rest}
    aria-label={label}
    className="flex h-5 w-9 shrink-0 items-center rounded-full border border-edge bg-sunken p-0.5 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
  >
    <Base.Thumb className="size-3.5 rounded-full bg-muted transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
  </Base.Root>
);
