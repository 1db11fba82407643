import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";
import { popupItemStyle, popupStyle } from "./popup-style.ts";

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> {
  /** The accessible name, if it is not in a `Field`. */
  label?: string | undefined;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean | undefined;
  className?: string | undefined;
}

/** Chooses one of a few options. */
export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { label, choices, value, onChange, disabled, className } = props;
  return (
    <Base.Root
      items={choices as Choice<Value>[]}
      value={value}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      disabled={disabled ?? false}
    >
      <Base.Trigger
        aria-label={label}
        className={classNames(
          inputStyle,
          "inline-flex items-center justify-between gap-2 text-left",
          className,
        )}
      >
        <Base.Value className="truncate" />
        <Base.Icon>
          <ChevronsUpDown className="size-4 text-muted" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup
            className={classNames(
              popupStyle,
              "max-h-80 min-w-[var(--anchor-width)] overflow-y-auto p-1",
            )}
          >
            {choices.map((choice) => (
              <Base.Item key={choice.value} value={choice.value} className={popupItemStyle}>
                <span className="size-4">
                  <Base.ItemIndicator>
                    <Check />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{choice.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
