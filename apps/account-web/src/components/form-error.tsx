import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useErrorText } from "./error-text.ts";

/** Counts the seconds down until a refused client may try again. */
const Wait = ({ seconds }: { seconds: number }) => {
  const { t } = useTranslation("errors");
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.ceil((end - Date.now()) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [end]);
  if (left <= 0) return t("waitOver");
  const textOf = (count: number) =>
    count < 120 ? t("wait", { count }) : t("waitMinutes", { count: Math.ceil(count / 60) });
  // Screen readers announce the wait once, instead of each second.
  return (
    <>
      <span className="sr-only">{textOf(seconds)}</span>
      <span aria-hidden="true">{textOf(left)}</span>
    </>
  );
};

/** Says in a form why it was refused, and when it can be sent again. */
export const FormError = ({ error }: { error: unknown }) => {
  const text = useErrorText();
  const seconds =
    error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : undefined;
  return (
    <Notice tone="danger" isUrgent>
      {seconds === undefined ? text(error) : <Wait key={String(error)} seconds={seconds} />}
    </Notice>
  );
};
