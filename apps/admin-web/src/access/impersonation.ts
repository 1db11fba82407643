import { queryOptions, useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { type CallReply, callAsBrowser } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useAccess } from "./use-access.ts";

const { getSession } = operations.identity;

type LiveSession = NonNullable<CallReply<typeof getSession>>;

/** The user whom this browser impersonates in another window. */
export interface Impersonation {
  readonly user: LiveSession["user"];
  readonly endsAt: string;
}

/** Does not extend the session, because it is read all the time. */
const readImpersonation = async (signal: AbortSignal): Promise<Impersonation | null> => {
  const query = { disableCookieCache: "true", disableRefresh: "true" };
  const live = await callAsBrowser(getSession, { query }, signal);
  return live?.session.impersonatedBy ? { user: live.user, endsAt: live.session.expiresAt } : null;
};

const usualMs = 15_000;
const expectedMs = 1000;
/** As long as a link works. */
const expectedForMs = 60_000;
let expectedUntil = 0;

/** Reads the impersonation often for a while, because a link was opened in another window. */
export const expectImpersonation = (): void => {
  expectedUntil = Date.now() + expectedForMs;
};

/** Reads the impersonation that lasts in this browser, or null. */
export const impersonationQuery = queryOptions({
  queryKey: ["impersonation"],
  queryFn: ({ signal }) => readImpersonation(signal),
  staleTime: 0,
  // The interval refreshes it. The parts of a page that use it would each read it again when they appear.
  refetchOnMount: false,
  refetchOnWindowFocus: true,
  refetchInterval: (query) => {
    const isExpected = !query.state.data && Date.now() < expectedUntil;
    return againEvery(isExpected ? expectedMs : usualMs)(query);
  },
});

/** Returns the impersonation that lasts in this browser, for admins who may impersonate. Undefined if there is none. */
export const useImpersonation = (): Impersonation | undefined => {
  const { may } = useAccess();
  const { data } = useQuery({ ...impersonationQuery, enabled: may("user:impersonate") });
  return data ?? undefined;
};
