import { useEffect, useState } from "react";

const pauseMs = 200;

/** A text once its typing has paused, so that not every letter is asked about. */
export const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};
