import { Combobox as Base } from "@base-ui/react/combobox";
import { Check } from "lucide-react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";
import { popupItemStyle, popupStyle } from "./popup-style.ts";
import type { Choice } from "./select.tsx";
import { locale } from "./locale.ts";

interface ComboboxProps {
  /** The accessible name, if it is not in a `Field`. */
  label?: string | undefined;
  choices: readonly Choice[];
  value: Choice | null;
  onChange: (choice: Choice | null) => void;
  /** Receives the typed text if the server searches, to load other choices. */
  onSearch?: ((text: string) => void) | undefined;
  placeholder?: string | undefined;
  emptyText?: string | undefined;
  className?: string | undefined;
}

/** Chooses one of many options by typing. */
export const Combobox = (props: ComboboxProps) => {
  const { label, choices, value, onChange, onSearch, placeholder, className } = props;
  return (
    <Base.Root
      items={choices as Choice[]}
      value={value}
      onValueChange={onChange}
      isItemEqualToValue={(one, other) => one.value === other.value}
      {...(onSearch && { filter: null, onInputValueChange: (text: string) => onSearch(text) })}
    >
      <Base.Input
        aria-label={label}
        placeholder={placeholder}
        className={classNames(inputStyle, className)}
      />
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-50">
          <Base.Popup className={classNames(popupStyle, "w-[var(--anchor-width)] p-1")}>
            <Base.Empty>
              <div className="px-2 py-2 text-muted">
                {props.emptyText ?? locale.text("noResults")}
              </div>
            </Base.Empty>
            <Base.List className="max-h-72 overflow-y-auto outline-none data-empty:hidden">
              {(choice: Choice) => (
                <Base.Item key={choice.value} value={choice} className={popupItemStyle}>
                  <span className="size-4">
                    <Base.ItemIndicator>
                      <Check />
                    </Base.ItemIndicator>
                  </span>
                  <span className="min-w-0 truncate">{choice.label}</span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
