import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

type Visibility = Record<string, boolean>;

const read = (key: string): Visibility => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    const entries = Object.entries(stored ?? {}).filter(([, shown]) => typeof shown === "boolean");
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
};

/** Reads and stores the visible columns of a table in this browser, by the name of the table. */
export const useColumnVisibility = (
  table: string,
): [Visibility, Dispatch<SetStateAction<Visibility>>] => {
  const key = `latchkey.columns.${table}`;
  const [visibility, setVisibility] = useState(() => read(key));
  useEffect(() => localStorage.setItem(key, JSON.stringify(visibility)), [key, visibility]);
  return [visibility, setVisibility];
};
