import { createContext, useContext } from "react";
import { AdvisedError } from "../api/advised-error.ts";
import { ApiError } from "../api/api-error.ts";

/** The error texts of a web, in the language that it shows. They are in `@latchkey/i18n`. */
export interface ErrorCatalogue {
  /** Returns a text by its key, such as `network` or `codes.INVALID_OTP`, or undefined if there is none. */
  find: (key: string, values?: Readonly<Record<string, string | number>>) => string | undefined;
  /** Whether users see the message of the server, and the text as the advice on it. */
  showsMessages?: boolean;
}

/** One error in words for users. */
export interface Explanation {
  /** Says what went wrong. Without advice, it also says what to do about it. */
  message: string;
  advice?: string;
}

/** The texts of Latchkey itself for the codes that hooks of an application throw. */
const ownTexts: Readonly<Record<string, RegExp>> = {
  VALIDATION_ERROR: /^Invalid \w+ parameters$/,
  UNAUTHORIZED: /^Unauthorized$/,
  FORBIDDEN: /^Forbidden$/,
  NOT_FOUND: /^Not Found$/,
};

/** Returns the text with which a hook of the application refused, or undefined if Latchkey refused. */
export const hookText = ({ code = "", message }: Pick<ApiError, "code" | "message">) =>
  ownTexts[code]?.test(message) === false ? message : undefined;

/** A key of the catalogue with its values. */
type Look = Parameters<ErrorCatalogue["find"]>;

/** Returns the key of the text on a wait until the next attempt, with its value. */
export const waitKey = (seconds: number): Look =>
  seconds < 120
    ? ["wait", { count: seconds }]
    : ["waitMinutes", { count: Math.ceil(seconds / 60) }];

const keyByStatus = (error: ApiError, { find, showsMessages }: ErrorCatalogue): Look => {
  const { code, status, requestId, retryAfterSeconds } = error;
  if (status === 0) return ["network"];
  if (status < 300) return ["unreadable"];
  if (status === 429) return waitKey(retryAfterSeconds ?? 60);
  if (status === 401) return ["signedOut"];
  if (status === 403) return ["forbidden"];
  // Many operations report what a body names and no longer exists with 400.
  if (status === 404 || code?.endsWith("NOT_FOUND")) return ["notFound"];
  if ([502, 503, 504].includes(status)) {
    const wait = retryAfterSeconds === undefined ? undefined : find(...waitKey(retryAfterSeconds));
    return wait === undefined ? ["unavailable"] : ["unavailable", { wait }];
  }
  if (status >= 500)
    return requestId && !showsMessages ? ["failedWithId", { id: requestId }] : ["failed"];
  return ["refused"];
};

/** The error of WebAuthn below a failed ceremony. */
const ceremonyName = (error: unknown): string | undefined =>
  error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined;

/** Returns the text of the catalogue on an error. */
const textOf = (error: unknown, catalogue: ErrorCatalogue): string => {
  const { find, showsMessages } = catalogue;
  const text = (...look: Look): string => find(...look) ?? look[0];
  if (!(error instanceof ApiError))
    return (ceremonyName(error) === undefined ? find("broken") : find("passkey")) ?? text("failed");
  const { code, status, issues } = error;
  const ofCode = code === undefined || status === 429 ? undefined : find(`codes.${code}`);
  if (ofCode !== undefined) return ofCode;
  if (showsMessages && issues.length > 0)
    return issues
      .map(({ path, message }) => `${path || (find("it") ?? "")}: ${message}.`)
      .join(" ");
  return text(...keyByStatus(error, catalogue));
};

/** Returns the advice for those who see the message of the server. They find a failure in the logs by the ID of its request. */
const adviceOf = (error: unknown, catalogue: ErrorCatalogue): string => {
  if (error instanceof AdvisedError) return error.advice;
  const text = textOf(error, catalogue);
  if (!(error instanceof ApiError) || error.status < 500 || !error.requestId) return text;
  return `${text} ${catalogue.find("requestId", { id: error.requestId })}`;
};

/** The name of the text on a reply without a message, or on none. */
const messageKey = (status: number): string => {
  if (status === 0) return "noReply";
  if (status < 300) return "unreadable";
  return status >= 500 ? "failed" : "refused";
};

/** The message of an error, unless it is not meant for users: it is then a bug in the page and means nothing to them. */
const serverMessage = (error: unknown, { find }: ErrorCatalogue): string => {
  const text =
    error instanceof AdvisedError || (error instanceof ApiError && error.isOfServer)
      ? error.message
      : (find(error instanceof ApiError ? `messages.${messageKey(error.status)}` : "pageFailed") ??
        String(error));
  return /[.!?]$/.test(text) ? text : `${text}.`;
};

/** Returns an error in words for users: what went wrong and what to do about it. */
export const explainError = (error: unknown, catalogue: ErrorCatalogue): Explanation => {
  if (catalogue.showsMessages)
    return { message: serverMessage(error, catalogue), advice: adviceOf(error, catalogue) };
  const ofHook = error instanceof ApiError && error.status !== 429 ? hookText(error) : undefined;
  return { message: ofHook ?? textOf(error, catalogue) };
};

/** The catalogue of the web, for components of this library. */
export const ErrorTexts = createContext<ErrorCatalogue>({ find: () => undefined });

/** Returns a function that explains errors with the texts of the web. */
export const useErrorText = (): ((error: unknown) => Explanation) => {
  const catalogue = useContext(ErrorTexts);
  return (error) => explainError(error, catalogue);
};
