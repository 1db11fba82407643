import {
  type AdditionalFields,
  type Authentication,
  type Caller,
  type FullUser,
  fullUserSchema,
  type Session,
  sessionSchema,
  timestampMembers,
} from "@latchkey/contracts";
import type { ResolvedSession, SessionAuthentication } from "./require-session.ts";
import { timesOf } from "./times-of.ts";

/** Returns the members of a row with these times as dates, because JSON carries them as text. */
const withDates = (row: Readonly<Record<string, unknown>>, times: readonly string[]) => {
  const members: Record<string, unknown> = { ...row };
  for (const name of times) {
    const time = members[name];
    if (typeof time === "string") members[name] = new Date(time);
  }
  return members;
};

const sessionTimes = timestampMembers(sessionSchema);
const userTimes = timestampMembers(fullUserSchema);

const readAuthentication = ({
  authenticatedAt,
  secondFactorAt,
  methods,
}: Authentication): SessionAuthentication => ({
  authenticatedAt: new Date(authenticatedAt),
  secondFactorAt: secondFactorAt === null ? null : new Date(secondFactorAt),
  methods: methods.join(","),
});

/** Returns the session and user that the gateway vouches for, or undefined if there is none. For services that store neither. */
export const vouchedSession = (
  { resolved }: Caller,
  fields: Pick<AdditionalFields, "session" | "user">,
): ResolvedSession | undefined => {
  if (!resolved) return undefined;
  const { session, user, authentication } = resolved;
  const converted = {
    session: { ...withDates(session, sessionTimes), ...timesOf(fields.session, session) },
    user: { ...withDates(user, userTimes), ...timesOf(fields.user, user) },
  } as unknown as { session: Session; user: FullUser }; // written by identity
  return authentication
    ? { ...converted, authentication: readAuthentication(authentication) }
    : converted;
};
