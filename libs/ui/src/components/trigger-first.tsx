import {
  cloneElement,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";

type Trigger = ReactElement<DOMAttributes<HTMLElement> & { autoFocus?: boolean }>;

interface TriggerFirstProps {
  trigger: ReactElement;
  /** Called when the trigger is pressed before the code of its popup has arrived. */
  onPress?: (() => void) | undefined;
  /** Renders the trigger with its popup. May suspend. The given trigger takes the focus if it had it before. */
  children: (trigger: ReactElement) => ReactNode;
}

/** Shows the trigger of a popup while the code of the popup loads, so that the page is usable earlier. */
export const TriggerFirst = ({ trigger, onPress, children }: TriggerFirstProps) => {
  const [hasFocus, setHasFocus] = useState(false);
  const own = trigger as Trigger;
  const early = cloneElement(own, {
    ...(onPress && { onClick: onPress }),
    onFocus: () => setHasFocus(true),
    onBlur: () => setHasFocus(false),
  });
  return (
    <Suspense fallback={early}>
      {children(hasFocus ? cloneElement(own, { autoFocus: true }) : own)}
    </Suspense>
  );
};
