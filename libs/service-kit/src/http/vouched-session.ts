import type { AdditionalFields, Caller, FullUser, Session } from "@latchkey/contracts";
import type { ResolvedSession } from "./require-session.ts";
import { timesOf } from "./times-of.ts";

const timeOf = (text: unknown): Date => new Date(text as string); // written by identity

/** Returns the session and user that the gateway vouches for, or undefined if there is none. For services that store neither. */
export const vouchedSession = (
  { resolved }: Caller,
  fields: AdditionalFields,
): ResolvedSession | undefined => {
  if (!resolved) return undefined;
  const { session, user } = resolved as unknown as { session: Session; user: FullUser };
  return {
    session: {
      ...session,
      ...timesOf(fields.session, resolved.session),
      expiresAt: timeOf(session.expiresAt),
      createdAt: timeOf(session.createdAt),
      updatedAt: timeOf(session.updatedAt),
    },
    user: {
      ...user,
      ...timesOf(fields.user, resolved.user),
      createdAt: timeOf(user.createdAt),
      updatedAt: timeOf(user.updatedAt),
      ...(user.banExpires ? { banExpires: timeOf(user.banExpires) } : {}),
    },
  };
};
