import { type Caller, fullUserSchema, resolvedBytesMax, sessionSchema } from "@latchkey/contracts";

type Holder = NonNullable<Caller["resolved"]>;

const only = (members: Record<string, unknown>, declared: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(declared, name)));

/** Returns the session and user as JSON text, without the additional fields if these are too large for a header. */
export const boundedHolder = ({ session, user }: Holder): string => {
  const json = JSON.stringify({ session, user });
  if (Buffer.byteLength(json) <= resolvedBytesMax) return json;
  return JSON.stringify({
    session: only(session, sessionSchema.shape),
    user: only(user, fullUserSchema.shape),
  });
};
