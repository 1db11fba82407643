import { useCallback, useState } from "react";

/** Returns a ref for an element, and whether it has been in sight since it appeared. Its data can wait until then. */
export const useSeen = () => {
  const [isSeen, setIsSeen] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setIsSeen(true);
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, isSeen };
};
