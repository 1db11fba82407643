import { useState } from "react";
import { lazyModule } from "./lazy-module.ts";
import type {
  MenuCheckProps,
  MenuChoicesProps,
  MenuItemProps,
  MenuProps,
  MenuSectionProps,
} from "./menu.popup.tsx";
import { TriggerFirst } from "./trigger-first.tsx";

const popup = lazyModule(() => import("./menu.popup.tsx"));

/** A menu of actions or display options. */
export const DropdownMenu = ({ trigger, children }: MenuProps) => {
  const [isPressed, setIsPressed] = useState(false);
  const loaded = popup.useModule();
  return (
    <TriggerFirst
      {...{ trigger, loaded }}
      load={popup.load}
      early={{ "aria-haspopup": "menu", "aria-expanded": false }}
      onPress={setIsPressed}
    >
      {({ Menu }, own) => (
        <Menu trigger={own} isOpenAtFirst={isPressed}>
          {children}
        </Menu>
      )}
    </TriggerFirst>
  );
};

// The content of a menu is rendered only after the code of the menu has loaded.

export const MenuItem = (props: MenuItemProps) => {
  const loaded = popup.useModule();
  return loaded && <loaded.MenuItem {...props} />;
};

export const MenuCheck = (props: MenuCheckProps) => {
  const loaded = popup.useModule();
  return loaded && <loaded.MenuCheck {...props} />;
};

export const MenuChoices = <Value extends string>(props: MenuChoicesProps<Value>) => {
  const loaded = popup.useModule();
  return loaded && <loaded.MenuChoices {...props} />;
};

export const MenuLine = () => {
  const loaded = popup.useModule();
  return loaded && <loaded.MenuLine />;
};

export const MenuSection = (props: MenuSectionProps) => {
  const loaded = popup.useModule();
  return loaded && <loaded.MenuSection {...props} />;
};

export const MenuSub = (props: MenuSectionProps) => {
  const loaded = popup.useModule();
  return loaded && <loaded.MenuSub {...props} />;
};
