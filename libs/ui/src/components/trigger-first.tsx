import {
  type AriaAttributes,
  type AriaRole,
  cloneElement,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useState,
} from "react";

/** Attributes of a trigger for assistive technology. */
type Aria = AriaAttributes & { role?: AriaRole };
type Trigger = ReactElement<DOMAttributes<HTMLElement> & Aria & { autoFocus?: boolean }>;

interface TriggerFirstProps<Popup> {
  trigger: ReactElement;
  /** The attributes of the trigger until the popup sets its own. */
  early: Aria;
  /** The code of the popup, or undefined until it has loaded. */
  loaded: Popup | undefined;
  /** Loads the code. An earlier attempt may have failed. */
  load: () => unknown;
  /** Receives whether the popup is to be open when its code arrives. */
  onPress: (isPressed: boolean) => void;
  /** Renders the trigger with its popup. The given trigger takes the focus if it had it before. */
  children: (popup: Popup, trigger: ReactElement) => ReactNode;
}

/** Shows the trigger of a popup until the code of the popup has loaded, so that the page is usable earlier. */
export const TriggerFirst = <Popup,>(props: TriggerFirstProps<Popup>) => {
  const { trigger, early, loaded, load, onPress, children } = props;
  const [hasFocus, setHasFocus] = useState(false);
  const own = trigger as Trigger;
  if (loaded) return children(loaded, hasFocus ? cloneElement(own, { autoFocus: true }) : own);
  const press = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    // Safari does not focus a button that is clicked. The popup needs to know when the user has gone on.
    currentTarget.focus();
    onPress(true);
    load();
  };
  return cloneElement(own, {
    ...early,
    // The trigger may be replaced before the mouse is released, and then no click follows.
    onPointerDown: (event) => {
      if (event.pointerType === "mouse" && event.button === 0) press(event);
    },
    onClick: press,
    onFocus: () => setHasFocus(true),
    onBlur: ({ currentTarget }) => {
      // The whole window lost the focus.
      if (document.activeElement === currentTarget) return;
      setHasFocus(false);
      // A popup that opened now would take the focus from where the user is.
      onPress(false);
    },
  });
};
