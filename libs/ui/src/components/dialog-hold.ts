import { createContext } from "react";

/** Keeps the surrounding `Dialog` open while its form is being submitted, because the outcome is shown in it. */
export const DialogHold = createContext<(isHeld: boolean) => void>(() => {});
