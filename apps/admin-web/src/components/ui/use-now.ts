import { useEffect, useState } from "react";
import { eachTick } from "./each-tick.ts";

/** The time, near enough to tell what has expired. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => eachTick(setNow), []);
  return now;
};
