import { useEffect, useState } from "react";

const pauseMs = 200;

/** Returns the text after a pause in typing, so that not every keystroke sends a request. */
export const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};
