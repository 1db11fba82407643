import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Spinner } from "../components/ui/spinner.tsx";

/** Whether something is being asked for again that has failed. */
const useIsTryingAgain = (): boolean => {
  const cache = useQueryClient().getQueryCache();
  const [isTrying, setIsTrying] = useState(false);
  useEffect(() => {
    const look = () =>
      setIsTrying(
        cache
          .getAll()
          .some(({ state }) => state.fetchStatus !== "idle" && state.fetchFailureCount > 0),
      );
    look();
    // Told amid renders of others, it waits for them to end.
    return cache.subscribe(() => queueMicrotask(look));
  }, [cache]);
  return isTrying;
};

/** Says, over the page and without moving it, that answers fail to come and are asked for again. */
export const ConnectionNotice = () => {
  const isTrying = useIsTryingAgain();
  return (
    <div role="status" className="fixed inset-x-0 top-2 z-50 flex justify-center px-4 empty:hidden">
      {isTrying && (
        <div className="flex items-center gap-2 rounded-md border border-warning bg-warning-soft px-3 py-2 text-ink shadow-lg">
          <Spinner />
          Latchkey does not answer. Trying again…
        </div>
      )}
    </div>
  );
};
