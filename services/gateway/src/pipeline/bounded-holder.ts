import { type Caller, fullUserSchema, sessionSchema } from "@latchkey/contracts";

/** Who holds a session, as its owner is told it. */
export type Holder = NonNullable<Caller["resolved"]>;

/** As JSON, so that it fits the header that it travels in. */
const bytesMax = 65_536;

const only = (members: Record<string, unknown>, declared: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(declared, name)));

/** Without the application's own fields where those are too much for a header. */
export const boundedHolder = (holder: Holder): Holder =>
  Buffer.byteLength(JSON.stringify(holder)) <= bytesMax
    ? holder
    : {
        session: only(holder.session, sessionSchema.shape),
        user: only(holder.user, fullUserSchema.shape),
      };
