import { createContext } from "react";

/** Keeps the `Dialog` around open, or lets it go: what comes of its form is to be seen. */
export const DialogHold = createContext<(isHeld: boolean) => void>(() => {});
