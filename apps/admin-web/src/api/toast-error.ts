import { adviceOf, messageOf } from "./advice-of.ts";
import { toasts } from "../components/ui/toasts.ts";

/** Says, at the edge of the page, why something was not done, and what to do about it. */
export const toastError = (error: unknown): void => {
  toasts.add({ title: messageOf(error), description: adviceOf(error), type: "error" });
};
