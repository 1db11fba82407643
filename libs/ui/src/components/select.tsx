import { ChevronDown, ChevronsUpDown } from "lucide-react";
import { useId, useState } from "react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";
import { lazyModule } from "./lazy-module.ts";
import type { Choice } from "./select.popup.tsx";
import { TriggerFirst } from "./trigger-first.tsx";

export type { Choice };

interface SelectProps<Value extends string> {
  /** The accessible name, if it is not in a `Field`. */
  label?: string | undefined;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean | undefined;
  /** It filters a list: a chip in place of an input, which stands out while `isFilled`. */
  filter?: { readonly isFilled: boolean } | undefined;
  className?: string | undefined;
}

const popup = lazyModule(() => import("./select.popup.tsx"));

/** Chooses one of a few options. */
export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { label, choices, value, onChange, disabled = false, filter, className } = props;
  const [isPressed, setIsPressed] = useState(false);
  const listId = useId();
  const loaded = popup.useModule();
  const Arrow = filter ? ChevronDown : ChevronsUpDown;
  const trigger = (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      data-filled={filter?.isFilled || undefined}
      className={classNames(
        filter
          ? "ui-chip"
          : [inputStyle, "inline-flex items-center justify-between gap-2 text-start"],
        className,
      )}
    >
      <span className="truncate">{choices.find((choice) => choice.value === value)?.label}</span>
      <Arrow aria-hidden="true" className="size-4 shrink-0 opacity-70" />
    </button>
  );
  return (
    <TriggerFirst
      {...{ trigger, loaded }}
      load={popup.load}
      // The shown value is no part of the name of a combobox, as it would be of a button.
      early={{ role: "combobox", "aria-expanded": false, "aria-controls": listId }}
      onPress={setIsPressed}
    >
      {({ SelectPopup }, own) => (
        <SelectPopup
          {...{ choices, value, onChange, disabled }}
          trigger={own}
          isOpenAtFirst={isPressed}
        />
      )}
    </TriggerFirst>
  );
};
