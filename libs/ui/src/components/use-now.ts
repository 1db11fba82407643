import { useEffect, useState } from "react";
import { eachTick } from "./each-tick.ts";

/** Returns the current time, updated often enough to detect expiry. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => eachTick(() => setNow(new Date())), []);
  return now;
};
