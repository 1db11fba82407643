import {
  type Caller,
  fullUserSchema,
  operations,
  resolvedBytesMax,
  sessionSchema,
} from "@latchkey/contracts";
import type { ServiceClient } from "@latchkey/service-kit/http";
import type { ShareCall } from "./share-call.ts";

type Holder = NonNullable<Caller["resolved"]>;

const only = (members: Record<string, unknown>, declared: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(declared, name)));

/** Returns the JSON text of a session with its user, without the additional fields if these are too large for a header. */
export const boundedHolder = (json: string): string => {
  if (Buffer.byteLength(json) <= resolvedBytesMax) return json;
  const holder = JSON.parse(json) as Holder; // written by our services
  return JSON.stringify({
    ...holder,
    session: only(holder.session, sessionSchema.shape),
    user: only(holder.user, fullUserSchema.shape),
  });
};

/** A session token and the request that holds it. */
interface Held {
  token: string;
  requestId: string;
}

/** Returns the active session of a token with its user, as JSON text, or undefined if there is none. */
export type ResolveHolder = (held: Held) => Promise<string | undefined>;

const { resolveSession } = operations.identity;

/** Creates the look-up in identity. The text of a shared call passes unchanged. */
export const createHolderResolver = ({
  identity,
  shareCall,
}: {
  identity: Pick<ServiceClient, "call">;
  shareCall: ShareCall;
}): ResolveHolder => {
  const readShared = async ({ token, requestId }: Held): Promise<string | undefined> => {
    const { name: operation } = resolveSession;
    const nobody = { baseUrl: "", address: "", userAgent: "" };
    const answer = await shareCall({
      operation: resolveSession,
      path: resolveSession.path,
      search: "",
      query: {},
      contentType: "application/json",
      body: Buffer.from(JSON.stringify({ token })),
      caller: { requestId, operation, service: "gateway", ...nobody },
    });
    return answer?.status === 200 ? answer.body.toString() : undefined;
  };
  const readAlone = async ({ token, requestId }: Held): Promise<string> =>
    JSON.stringify(await identity.call(resolveSession, { body: { token } }, { requestId }));
  return async (held) => {
    const json = (await readShared(held)) ?? (await readAlone(held));
    return json === "null" ? undefined : boundedHolder(json);
  };
};
