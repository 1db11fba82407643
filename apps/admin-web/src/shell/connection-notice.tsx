import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Spinner } from "../components/ui/spinner.tsx";
import { connectionText } from "./connection-text.ts";

/** What to say of all that has failed and is being asked for again; empty where there is no such thing. */
const useConnectionText = (): string => {
  const cache = useQueryClient().getQueryCache();
  const [text, setText] = useState("");
  useEffect(() => {
    const look = () => {
      const asked = cache.getAll().filter(({ state }) => state.fetchStatus !== "idle");
      setText(connectionText(asked.map(({ state }) => state.fetchFailureReason)));
    };
    look();
    // Told amid renders of others, it waits for them to end.
    return cache.subscribe(() => queueMicrotask(look));
  }, [cache]);
  return text;
};

/** Says, over the page and without moving it or being in the way, that answers fail to come and are asked for again. */
export const ConnectionNotice = () => {
  const text = useConnectionText();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-2 z-50 flex justify-center px-4"
    >
      {text !== "" && (
        <div className="flex items-center gap-2 rounded-md border border-warning bg-warning-soft px-3 py-2 text-ink shadow-lg">
          <Spinner />
          {text}
        </div>
      )}
    </div>
  );
};
