import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { placeOf } from "@latchkey/ui/search-text.ts";
import { addressOf } from "./address-of.ts";
import { ownPath } from "./destination.ts";
import { isIncomplete, sessionQuery } from "./session-query.ts";

/** Returns a function that reads the new session and sends its user to the page that they wanted. */
export const useArrive = (): (() => Promise<void>) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { redirect_to: wanted } = useSearch({ strict: false });
  return async () => {
    client.removeQueries({ queryKey: ["operation"] });
    const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (isIncomplete(session)) {
      await navigate({ to: "/complete-profile", search: { redirect_to: wanted } });
      return;
    }
    const own = wanted === undefined ? "/" : ownPath(wanted);
    if (own !== undefined) await navigate(placeOf(own));
    // The server checks the address, and leads back to it.
    else window.location.assign(addressOf("/return", { redirect_to: wanted }));
  };
};
