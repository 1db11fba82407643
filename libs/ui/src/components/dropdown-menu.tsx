import { useState } from "react";
import { lazyModule } from "./lazy-module.ts";
import type { MenuCheckProps, MenuChoicesProps, MenuItemProps, MenuProps } from "./menu.popup.tsx";
import { TriggerFirst } from "./trigger-first.tsx";

const useMenu = lazyModule(() => import("./menu.popup.tsx"));

const Loaded = (props: MenuProps & { isOpenAtFirst: boolean }) => {
  const { Menu } = useMenu();
  return <Menu {...props} />;
};

/** A menu of actions or display options. */
export const DropdownMenu = (props: MenuProps) => {
  const [isPressed, setIsPressed] = useState(false);
  return (
    <TriggerFirst trigger={props.trigger} onPress={() => setIsPressed(true)}>
      {(trigger) => <Loaded {...props} trigger={trigger} isOpenAtFirst={isPressed} />}
    </TriggerFirst>
  );
};

export const MenuItem = (props: MenuItemProps) => {
  const { MenuItem: Item } = useMenu();
  return <Item {...props} />;
};

export const MenuCheck = (props: MenuCheckProps) => {
  const { MenuCheck: Check } = useMenu();
  return <Check {...props} />;
};

export const MenuChoices = <Value extends string>(props: MenuChoicesProps<Value>) => {
  const { MenuChoices: Choices } = useMenu();
  return <Choices {...props} />;
};

export const MenuLine = () => {
  const { MenuLine: Line } = useMenu();
  return <Line />;
};
