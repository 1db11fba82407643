import { Select as Base } from "@base-ui/react/select";
import { Check } from "lucide-react";
import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";
import { popupItemStyle, popupStyle } from "./popup-style.ts";

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectPopupProps<Value extends string> {
  /** The button that shows the value. */
  trigger: ReactElement;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  disabled: boolean;
  isOpenAtFirst: boolean;
}

export const SelectPopup = <Value extends string>(props: SelectPopupProps<Value>) => {
  const { trigger, choices, value, onChange, disabled, isOpenAtFirst } = props;
  return (
    <Base.Root
      items={choices as Choice<Value>[]}
      value={value}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      disabled={disabled}
      defaultOpen={isOpenAtFirst}
    >
      <Base.Trigger render={trigger} />
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
