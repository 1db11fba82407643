import { adviceOf, messageOf } from "./advice-of.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";

/** Shows a toast that says why an action failed and what to do about it. */
export const toastError = (error: unknown): void => {
  toasts.add({ title: messageOf(error), description: adviceOf(error), type: "error" });
};
