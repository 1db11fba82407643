import { Tooltip as Base } from "@base-ui/react/tooltip";
import { useEffect, useState } from "react";
import { tooltipMark } from "./tooltip-mark.ts";

/** A pointer that only passes opens nothing. */
const openMs = 500;
/** The time in which a pointer reaches the tooltip from its element. */
const closeMs = 150;

const popupMark = "data-tooltip-popup";

const closest = (target: EventTarget | null, mark: string): Element | null =>
  target instanceof Element ? target.closest(`[${mark}]`) : null;

/** Follows the pointer and the focus, and calls `show` with the element whose tooltip is to be shown. */
const followMarks = (show: (element: Element | null) => void): (() => void) => {
  const listening = new AbortController();
  const { signal } = listening;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A pointer that moves elsewhere hides only what a pointer has shown, not the tooltip of the focused element.
  let isByPointer = false;
  const showIn = (ms: number, element: Element | null) => {
    clearTimeout(timer);
    timer = setTimeout(() => show(element), ms);
  };
  // The pointer may have arrived before this code.
  const hovered = document.querySelector(`[${tooltipMark}]:hover`);
  if (hovered && matchMedia("(hover: hover)").matches) {
    isByPointer = true;
    showIn(openMs, hovered);
  }
  document.addEventListener(
    "pointerover",
    ({ target, pointerType }) => {
      // A touch has no hover.
      if (pointerType !== "mouse") return;
      const marked = closest(target, tooltipMark);
      if (closest(target, popupMark)) {
        if (isByPointer) clearTimeout(timer);
      } else if (marked || isByPointer) {
        isByPointer = true;
        showIn(marked ? openMs : closeMs, marked);
      }
    },
    { signal },
  );
  document.addEventListener(
    "focusin",
    ({ target }) => {
      const marked = closest(target, tooltipMark);
      isByPointer = false;
      showIn(0, marked?.matches(":focus-visible") ? marked : null);
    },
    { signal },
  );
  for (const end of ["focusout", "pointerdown"])
    document.addEventListener(end, () => showIn(0, null), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  return () => listening.abort();
};

export const Tooltips = () => {
  const [element, setElement] = useState<Element | null>(null);
  useEffect(() => followMarks(setElement), []);
  return (
    <Base.Root open={element !== null} onOpenChange={(isOpen) => !isOpen && setElement(null)}>
      <Base.Portal>
        <Base.Positioner
          anchor={element}
          sideOffset={6} // Hides the tooltip of an element that was scrolled out of view or removed.
          className="z-50 data-anchor-hidden:invisible"
        >
          <Base.Popup
            {...{ [popupMark]: "" }}
            className="max-w-80 rounded-md bg-ink px-2 py-1 text-xs break-words text-canvas shadow-md"
          >
            {element?.getAttribute(tooltipMark)}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
