import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";

/**
 * Blocks navigation while a secret is being created, because it could never be shown again. After that, warns once before the user
 * leaves without copying it, also by the browser's back button or by closing the tab.
 */
export const useKeptSecret = (created: object | undefined, isPending: boolean) => {
  const [isSafe, setIsSafe] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  useBlocker({
    disabled: created ? isSafe : !isPending,
    shouldBlockFn: () => {
      if (created) setIsWarned(true);
      return !created || !isWarned;
    },
  });
  return {
    isWarned: isWarned && !isSafe,
    onCopied: () => setIsSafe(true),
    /** Warns instead of closing a dialog that is no part of the address. Returns whether it may close. */
    mayClose: (): boolean => {
      if (isPending || (created && !isSafe && !isWarned)) {
        if (created) setIsWarned(true);
        return false;
      }
      return true;
    },
  };
};
