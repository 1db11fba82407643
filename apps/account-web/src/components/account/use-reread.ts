import { useQueryClient } from "@tanstack/react-query";
import { sessionQuery } from "../../session/session-query.ts";

/** Returns a function that reads the session and everything that is shown again. */
export const useReread = (): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["operation"] }),
      client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
  };
};
