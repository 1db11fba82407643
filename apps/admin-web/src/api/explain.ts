import { toasts } from "@latchkey/ui/components/toasts.ts";
import {
  type ErrorCatalogue,
  explainError,
  type Explanation,
} from "@latchkey/ui/errors/explain-error.ts";
import { findText, t } from "../texts.ts";

/** The error texts for admins, who also see the message of the server. */
export const errorTexts: ErrorCatalogue = {
  showsMessages: true,
  find: (key, values) => {
    const isUnavailable = key === "unavailable" && values === undefined;
    return findText(`errors.${key}`, isUnavailable ? { wait: t("errors.waitMoment") } : values);
  },
};

/** Returns what went wrong and what to do about it, each in one sentence. */
export const explain = (error: unknown): Explanation => explainError(error, errorTexts);

/** Returns both sentences. */
export const explanationOf = (error: unknown): string => {
  const { message, advice } = explain(error);
  return `${message} ${advice}`;
};

/** Shows a toast that says why an action failed and what to do about it. */
export const toastError = (error: unknown): void => {
  const { message, advice } = explain(error);
  toasts.add({ title: message, description: advice, type: "error" });
};
