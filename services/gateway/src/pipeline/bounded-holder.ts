import { type Caller, fullUserSchema, sessionSchema } from "@latchkey/contracts";

/** The session and user that the owner of an operation receives. */
export type Holder = NonNullable<Caller["resolved"]>;

/** As JSON, limited to the size of the header that it travels in. */
const bytesMax = 65_536;

const only = (members: Record<string, unknown>, declared: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(declared, name)));

/** Returns the session and user, without the additional fields if these are too large for a header. */
export const boundedHolder = (holder: Holder): Holder =>
  Buffer.byteLength(JSON.stringify(holder)) <= bytesMax
    ? holder
    : {
        session: only(holder.session, sessionSchema.shape),
        user: only(holder.user, fullUserSchema.shape),
      };
