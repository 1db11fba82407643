import {
  type AriaAttributes,
  type AriaRole,
  cloneElement,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";

/** Attributes of a trigger for assistive technology. */
type Aria = AriaAttributes & { role?: AriaRole };
type Trigger = ReactElement<DOMAttributes<HTMLElement> & Aria & { autoFocus?: boolean }>;

interface TriggerFirstProps {
  trigger: ReactElement;
  /** The attributes of the trigger until the popup sets its own. */
  early?: Aria | undefined;
  /** Called when the trigger is pressed before the code of its popup has arrived. */
  onPress: () => void;
  /** Renders the trigger with its popup. May suspend. The given trigger takes the focus if it had it before. */
  children: (trigger: ReactElement) => ReactNode;
}

/** Shows the trigger of a popup while the code of the popup loads, so that the page is usable earlier. */
export const TriggerFirst = ({ trigger, early, onPress, children }: TriggerFirstProps) => {
  const [hasFocus, setHasFocus] = useState(false);
  const own = trigger as Trigger;
  const first = cloneElement(own, {
    ...early,
    // The trigger may be replaced before the pointer is released, and then no click follows.
    onPointerDown: onPress,
    onClick: onPress,
    onFocus: () => setHasFocus(true),
    onBlur: () => setHasFocus(false),
  });
  return (
    <Suspense fallback={first}>
      {children(hasFocus ? cloneElement(own, { autoFocus: true }) : own)}
    </Suspense>
  );
};
