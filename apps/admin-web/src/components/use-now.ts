import { useEffect, useState } from "react";

const againMs = 30_000;

/** The time, near enough to tell what has expired. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), againMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};
