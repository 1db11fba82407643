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

/** Until when an impersonation may last in this browser, in milliseconds since the epoch. All tabs share it. */
const lastsUntilKey = "latchkey.impersonates-until";
const mayLast = (): boolean => Number(localStorage.getItem(lastsUntilKey)) > Date.now();
const recordUntil = (time: number): void => localStorage.setItem(lastsUntilKey, String(time));

/** Does not extend the session, because it is read all the time. */
const readImpersonation = async (signal: AbortSignal): Promise<Impersonation | null> => {
  const query = { disableCookieCache: "true", disableRefresh: "true" };
  const live = await callAsBrowser(getSession, { query }, signal);
  if (!live?.session.impersonatedBy) return null;
  const { user, session } = live;
  recordUntil(Date.parse(session.expiresAt));
  return { user, endsAt: session.expiresAt };
};

const usualMs = 15_000;
const expectedMs = 1000;
/** As long as a link works. */
const expectedForMs = 60_000;
let expectedUntil = 0;

/** Reads the impersonation often for a while, because a link was opened in another window. */
export const expectImpersonation = (): void => {
  expectedUntil = Date.now() + expectedForMs;
  recordUntil(expectedUntil);
};

/** Reads the impersonation that lasts in this browser, or null. */
export const impersonationQuery = queryOptions({
  queryKey: ["impersonation"],
  queryFn: ({ signal }) => readImpersonation(signal),
  // Links work only in the browser that asked for them. A page of any other browser needs no request at its start: the interval finds an
  // impersonation that something else has begun.
  initialData: (): Impersonation | null | undefined => (mayLast() ? undefined : null),
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
