import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";

/**
 * Blocks navigation. It uses the history itself, because the hook of the router would become part of the file that every page of a web
 * loads first.
 */
const useBlockedNavigation = (isBlocked: boolean, shouldBlock: () => boolean): void => {
  const { history } = useRouter();
  const decide = useEffectEvent(shouldBlock);
  useEffect(
    () =>
      isBlocked
        ? history.block({ blockerFn: () => decide(), enableBeforeUnload: true })
        : undefined,
    [history, isBlocked],
  );
};

/**
 * Blocks navigation while a secret is being created, because it could never be shown again. After that, warns once before the user
 * leaves without copying it, also by the browser's back button or by closing the tab.
 */
export const useKeptSecret = (created: object | undefined, isPending: boolean) => {
  const [isSafe, setIsSafe] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  useBlockedNavigation(created ? !isSafe : isPending, () => {
    if (created) setIsWarned(true);
    return !created || !isWarned;
  });
  return {
    isWarned: isWarned && !isSafe,
    onCopied: () => setIsSafe(true),
    /** Warns instead of closing a dialog that is no part of the address. Returns whether it may close. */
    mayClose: (): boolean => {
      // The mutation is still pending while the page reads its data again.
      if (!created) return !isPending;
      if (isSafe || isWarned) return true;
      setIsWarned(true);
      return false;
    },
  };
};
