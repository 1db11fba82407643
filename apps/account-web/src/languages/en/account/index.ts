import { home } from "./home.ts";

/** The messages of the screens for signed-in users, by namespace. */
export const messages = { home };
