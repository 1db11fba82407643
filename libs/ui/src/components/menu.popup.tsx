import { Menu as Base } from "@base-ui/react/menu";
import { Check, ChevronRight } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { popupItemStyle, popupStyle } from "./popup-style.ts";

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  /** `MenuItem`, `MenuChoices`, `MenuCheck` and `MenuLine`. */
  children: ReactNode;
}

const Popup = ({ children }: { children: ReactNode }) => (
  <Base.Portal>
    <Base.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-50">
      <Base.Popup
        className={classNames(
          popupStyle,
          "max-h-[80vh] max-w-[calc(100vw-1rem)] min-w-44 overflow-y-auto p-1",
        )}
      >
        {children}
      </Base.Popup>
    </Base.Positioner>
  </Base.Portal>
);

export const Menu = ({
  trigger,
  isOpenAtFirst,
  children,
}: MenuProps & { isOpenAtFirst: boolean }) => (
  <Base.Root defaultOpen={isOpenAtFirst}>
    <Base.Trigger render={trigger} />
    <Popup>{children}</Popup>
  </Base.Root>
);

export interface MenuSectionProps {
  label: ReactNode;
  children: ReactNode;
}

/** Items with a heading, which may be a fact about what they act on. */
export const MenuSection = ({ label, children }: MenuSectionProps) => (
  <Base.Group>
    <Base.GroupLabel className="max-w-72 px-2 pt-1 pb-1.5 text-xs text-pretty text-muted">
      {label}
    </Base.GroupLabel>
    {children}
  </Base.Group>
);

/** An item that opens further ones. */
export const MenuSub = ({ label, children }: MenuSectionProps) => (
  <Base.SubmenuRoot>
    <Base.SubmenuTrigger className={popupItemStyle}>
      {label}
      <ChevronRight className="ms-auto rtl:-scale-x-100" />
    </Base.SubmenuTrigger>
    <Popup>{children}</Popup>
  </Base.SubmenuRoot>
);

export interface MenuItemProps {
  children: ReactNode;
  onSelect: () => void;
  isDangerous?: boolean | undefined;
  disabled?: boolean | undefined;
}

export const MenuItem = ({ children, onSelect, isDangerous, disabled }: MenuItemProps) => (
  <Base.Item
    onClick={onSelect}
    disabled={disabled ?? false}
    className={classNames(popupItemStyle, isDangerous && "text-danger")}
  >
    {children}
  </Base.Item>
);

export interface MenuCheckProps {
  children: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

export const MenuCheck = ({ children, isChecked, onChange }: MenuCheckProps) => (
  <Base.CheckboxItem
    checked={isChecked}
    onCheckedChange={(checked) => onChange(checked)}
    closeOnClick={false}
    className={popupItemStyle}
  >
    <span aria-hidden="true" className="w-4">
      {isChecked && <Check />}
    </span>
    {children}
  </Base.CheckboxItem>
);

export interface MenuChoicesProps<Value extends string> {
  label: string;
  value: Value;
  /** `lang` names the language of a label that is in another one than the page. */
  choices: readonly { value: Value; label: string; lang?: string }[];
  onChange: (value: Value) => void;
  /** A choice closes the menu. */
  closesMenu?: boolean | undefined;
}

export const MenuChoices = <Value extends string>(props: MenuChoicesProps<Value>) => (
  <Base.RadioGroup value={props.value} onValueChange={(value: Value) => props.onChange(value)}>
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1 pb-0.5 text-xs text-muted">
        {props.label}
      </Base.GroupLabel>
      {props.choices.map((choice) => (
        <Base.RadioItem
          key={choice.value}
          value={choice.value}
          lang={choice.lang}
          closeOnClick={props.closesMenu ?? false}
          className={popupItemStyle}
        >
          <span aria-hidden="true" className="w-4">
            {choice.value === props.value && <Check />}
          </span>
          {choice.label}
        </Base.RadioItem>
      ))}
    </Base.Group>
  </Base.RadioGroup>
);

export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />;
