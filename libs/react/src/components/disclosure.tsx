"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classNames } from "./class-names.ts";

interface DisclosureProps {
  /** The name of the component in classes and in `data-latchkey`. */
  name: string;
  className: string | undefined;
  /** The content of the button. */
  button: ReactNode;
  /** The accessible name of the button. `title` also shows it to users of a mouse, who see only a picture. */
  naming: { "aria-label": string } | { title: string };
  /** The content of the panel. `close` closes it and returns the focus to the button. */
  children: (close: () => void) => ReactNode;
  /** Shown below the content, and read out when it appears. */
  problem: string;
}

/**
 * A button that opens a panel of links and buttons. It closes by Escape, by a click elsewhere, and when the focus leaves it. This is the
 * disclosure pattern of ARIA: unlike a menu, it keeps the usual keys of its contents.
 */
export const Disclosure = (props: DisclosureProps) => {
  const { name, className, button, naming, children, problem } = props;
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return undefined;
    // Not `blur`: Safari does not focus buttons that are clicked.
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    const leaving = ["pointerdown", "focusin"];
    for (const event of leaving) document.addEventListener(event, closeOutside);
    return () => {
      for (const event of leaving) document.removeEventListener(event, closeOutside);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    document.getElementById(id)?.focus();
  };
  const closeByEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only receives the Escape of its contents
    <div
      ref={root}
      className={classNames(`latchkey-${name}`, className)}
      data-latchkey={name}
      data-state={isOpen ? "open" : "closed"}
      onKeyDown={closeByEscape}
    >
      <button
        id={id}
        type="button"
        className={`latchkey-${name}-trigger`}
        {...naming}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}panel` : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div id={`${id}panel`} className={`latchkey-${name}-panel`}>
          {children(close)}
          <p className="latchkey-problem" role="alert">
            {problem}
          </p>
        </div>
      )}
    </div>
  );
};
