import { type Caller, fullUserSchema, operations, sessionSchema } from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";

/** Who holds a session, as its owner is told it. */
type Holder = NonNullable<Caller["resolved"]>;

/** As JSON, so that it fits the header that it travels in. */
const bytesMax = 65_536;

const only = (members: Record<string, unknown>, declared: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(declared, name)));

/** Without the application's own fields where those are too much for a header. */
const bounded = (holder: Holder): Holder =>
  Buffer.byteLength(JSON.stringify(holder)) <= bytesMax
    ? holder
    : {
        session: only(holder.session, sessionSchema.shape),
        user: only(holder.user, fullUserSchema.shape),
      };

/** The live session of a token with its user: by a good copy of it, else as identity says. */
export const resolveHolder = async (
  { identity }: Pick<Deps, "identity">,
  {
    request,
    token,
    json,
  }: { request: FastifyRequest; token: string | undefined; json: string | undefined },
): Promise<Holder | undefined> => {
  if (token === undefined) return undefined;
  if (json !== undefined) return bounded(JSON.parse(json) as Holder); // signed by us
  const found = await identity.call(
    operations.identity.resolveSession,
    { body: { token } },
    { requestId: request.id },
  );
  return found ? bounded(found) : undefined;
};
