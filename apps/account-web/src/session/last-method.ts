const key = "latchkey.lastMethod";

/** A way to sign in: the id of a provider after `provider:`, or one of ours. */
export type Method = "password" | "passkey" | "magicLink" | "emailCode" | `provider:${string}`;

/** Returns the way by which this browser signed in last. */
export const lastMethod = (): string | null => localStorage.getItem(key);

/** Stores the name of the way that is used now, and nothing else. */
export const rememberMethod = (method: Method): void => localStorage.setItem(key, method);
