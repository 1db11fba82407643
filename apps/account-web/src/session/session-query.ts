import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { queryOptions } from "@tanstack/react-query";
import { facts } from "../facts.ts";
import { missingFields } from "./missing-fields.ts";

type Session = CallReply<typeof operations.identity.getSession>;

/** The session of a signed-in user, with the user. */
export type OwnSession = NonNullable<Session>;

/** Returns whether the user of a session lacks required fields. An impersonating admin does not fill them in. */
export const isIncomplete = (session: Session): boolean =>
  session !== null &&
  !session.session.impersonatedBy &&
  missingFields(facts.fields, session.user).length > 0;

const { getSession } = operations.identity;
const queryKey = ["session"];

/** Reads the session of this browser. Returns null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey,
  queryFn: async ({ client, signal }) => {
    const session = await call(getSession, { query: { disableCookieCache: "true" } }, signal);
    const shown = client.getQueryData<CallReply<typeof getSession>>(queryKey);
    // The pages must not show to a user what another one has read.
    if (session && shown && session.user.id !== shown.user.id)
      void client.resetQueries({ queryKey: ["operation"] });
    return session;
  },
  staleTime: 60_000,
  // Another tab may have changed the session at any time.
  refetchOnWindowFocus: "always",
});
