import { useEffect, useEffectEvent } from "react";

const dialogs = "[role=dialog], [role=alertdialog]";

/** Ctrl-K or Cmd-K, wherever the focus is; only not over a dialog, which would be left by it for another screen. */
export const usePaletteKey = (isOpen: boolean, onPress: () => void): void => {
  const press = useEffectEvent(() => {
    if (isOpen || document.querySelector(dialogs) === null) onPress();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isAsked = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isAsked || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      press();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
};
