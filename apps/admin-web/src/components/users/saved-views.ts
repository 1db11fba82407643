import { useSyncExternalStore } from "react";
import { useAccess } from "../../access/use-access.ts";

/** A search of users that an admin has named. It stays in this browser, for this admin only. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

const listeners = new Set<() => void>();
const noViews: readonly SavedView[] = [];
let cached: { text: string; views: readonly SavedView[] } | undefined;

const isView = (value: unknown): value is SavedView => {
  const { name, search } = (value ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
};

const parse = (text: string): readonly SavedView[] => {
  try {
    const views: unknown = JSON.parse(text);
    return Array.isArray(views) ? views.filter(isView) : noViews;
  } catch {
    return noViews;
  }
};

/** Returns the same list as long as it does not change. */
const read = (key: string): readonly SavedView[] => {
  const text = localStorage.getItem(key) ?? "[]";
  if (cached?.text !== text) cached = { text, views: parse(text) };
  return cached.views;
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // Another tab of this browser has changed them.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

/** Returns the saved views of this admin, and functions that change them. */
export const useSavedViews = () => {
  const { access } = useAccess();
  const key = `latchkey.views.${access?.user.id ?? ""}`;
  const views = useSyncExternalStore(subscribe, () => read(key));
  const write = (next: readonly SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return {
    views,
    /** Replaces a view of the same name. */
    save: (view: SavedView) => write([...views.filter(({ name }) => name !== view.name), view]),
    remove: (name: string) => write(views.filter((view) => view.name !== name)),
  };
};
