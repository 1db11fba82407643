/**
 * Values that stay in this tab while the user navigates, loads the page again or signs in again: drafts and scroll positions. They
 * contain no secrets.
 */
const prefix = "latchkey.kept.";
const owner = "owner";

/** Reads a value. Returns undefined if there is none. */
export const readKept = (name: string): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? "");
  } catch {
    return undefined;
  }
};

/** Stores a value. A full or blocked storage loses it, and nothing else. */
export const keep = (name: string, value: unknown): void => {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {}
};

export const discardKept = (name: string): void => sessionStorage.removeItem(prefix + name);

export const discardAllKept = (): void => {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
};

/** Discards the values of any other user. Call it before a screen of this user reads them. */
export const keepOnlyOf = (userId: string): void => {
  if (readKept(owner) === userId) return;
  discardAllKept();
  keep(owner, userId);
};
