import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Spinner } from "@latchkey/ui/components/spinner.tsx";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { t } from "../texts.ts";

/** Describes the worst of the failures. Returns an empty text if none is temporary. */
export const connectionText = (errors: readonly unknown[]): string => {
  const statuses = errors.flatMap((error) => (error instanceof ApiError ? [error.status] : []));
  if (statuses.length === 0) return "";
  if (statuses.includes(0)) return t("shell.connection.noReply");
  return statuses.every((status) => status === 429)
    ? t("shell.connection.tooMany")
    : t("shell.connection.unavailable");
};

/** Returns the text about failed queries that are being retried. Empty if there are none. */
const useConnectionText = (): string => {
  const cache = useQueryClient().getQueryCache();
  const [text, setText] = useState("");
  useEffect(() => {
    const look = () => {
      const activeQueries = cache.getAll().filter(({ state }) => state.fetchStatus !== "idle");
      setText(connectionText(activeQueries.map(({ state }) => state.fetchFailureReason)));
    };
    look();
    // The cache may notify during another component's render, so the state update is deferred.
    return cache.subscribe(() => queueMicrotask(look));
  }, [cache]);
  return text;
};

/** Shows, over the page and without moving or covering controls, that replies are missing and requests are being retried. */
export const ConnectionNotice = () => {
  const text = useConnectionText();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-2 z-50 flex justify-center px-4"
    >
      {text !== "" && (
        <div className="flex items-center gap-2 rounded-md border border-warning/25 bg-warning-soft px-3 py-2 text-ink shadow-md">
          <Spinner />
          {text}
        </div>
      )}
    </div>
  );
};
