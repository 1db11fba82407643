import { operations } from "@latchkey/contracts";
import {
  lookUpTogether,
  type ServiceClient,
  type Tracing,
  type UnsignedCaller,
} from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";
import type { Forwarded, ForwardRequest } from "./forward.ts";

/** Answers a get-session request together with concurrent ones. Returns undefined if the request must be forwarded. */
export type ReadSessionTogether = (
  request: Pick<ForwardRequest, "caller" | "operation" | "search">,
) => Promise<Forwarded | undefined> | undefined;

const { getSession, readSessions } = operations.identity;

type Asked = UnsignedCaller & { sessionToken: string };

const isAsked = (caller: UnsignedCaller): caller is Asked => caller.sessionToken !== undefined;

const forwardedOf = ({
  json,
  epoch,
  signedToken,
}: {
  json: string;
  epoch?: number | undefined;
  signedToken?: string | undefined;
}): Forwarded => ({
  status: 200,
  headers: {
    "content-type": "application/json",
    ...(signedToken === undefined ? {} : { "set-auth-jwt": signedToken }),
  },
  body: json,
  effect: epoch === undefined ? undefined : { kind: "cache", epoch },
});

/**
 * Creates the reader. Requests that begin in the same turn of the event loop share one call, which is sent after all of them have begun.
 * So each sees every session that ended before it. A request without company is forwarded. With tracing all are, so that each has its
 * own spans, and with functions of the application that run for each request.
 */
export const createTogetherReader = ({
  identity,
  config,
  tracing,
}: {
  identity: Pick<ServiceClient, "call">;
  config: Pick<GatewayConfig, "readsSessionsTogether">;
  tracing?: Tracing | undefined;
}): ReadSessionTogether => {
  if (!config.readsSessionsTogether || tracing) return () => undefined;
  const read = async (asked: readonly Asked[]) => {
    const [first, ...others] = asked;
    if (!first || others.length === 0) return [];
    const callers = asked.map(({ sessionToken, baseUrl, browserSession }) => ({
      sessionToken,
      baseUrl,
      browserSession,
    }));
    const { requestId } = first;
    const { sessions } = await identity.call(readSessions, { body: { callers } }, { requestId });
    return asked.map((caller, index) => ({ caller, session: sessions[index] }));
  };
  const lookUp = lookUpTogether({
    read,
    nameOf: ({ sessionToken, baseUrl, browserSession }: Asked) =>
      `${sessionToken} ${baseUrl} ${browserSession}`,
    keyOf: ({ caller }) => caller,
  });
  return ({ operation, search, caller }) =>
    operation.name === getSession.name && search === "" && isAsked(caller)
      ? lookUp(caller).then((found) => (found?.session ? forwardedOf(found.session) : undefined))
      : undefined;
};
