import { useContext, useEffect, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { Notice } from "../components/notice.tsx";
import { ErrorTexts, explainError, waitKey } from "./explain-error.ts";

/** Counts the seconds down until a refused client may try again. */
const Wait = ({ seconds }: { seconds: number }) => {
  const { find } = useContext(ErrorTexts);
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft(Math.ceil((end - Date.now()) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [end]);
  if (secondsLeft <= 0) return find("waitOver");
  // Screen readers announce the wait once, instead of each second.
  return (
    <>
      <span className="sr-only">{find(...waitKey(seconds))}</span>
      <span aria-hidden="true">{find(...waitKey(secondsLeft))}</span>
    </>
  );
};

/** Says why a change was refused, what to do about it, and when it can be sent again. */
export const FormError = ({ error }: { error: unknown }) => {
  const { message, advice } = explainError(error, useContext(ErrorTexts));
  const seconds =
    error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : undefined;
  const text =
    seconds === undefined ? (advice ?? message) : <Wait key={String(error)} seconds={seconds} />;
  return (
    <Notice tone="danger" isUrgent>
      {advice !== undefined && <p className="font-medium">{message}</p>}
      {advice === undefined ? text : <p>{text}</p>}
    </Notice>
  );
};
