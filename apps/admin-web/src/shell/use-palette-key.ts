import { useEffect, useEffectEvent } from "react";

const dialogs = "[role=dialog], [role=alertdialog]";

/** Handles Ctrl-K or Cmd-K anywhere except in a dialog, which navigation would close. */
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
