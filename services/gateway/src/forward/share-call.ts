import { isUtf8 } from "node:buffer";
import { WireError } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import { readTogether } from "@latchkey/service-kit/database";
import {
  readSharedAnswers,
  sendRequest,
  type ServicePool,
  type SharedAnswer,
  sharedCallHeader,
  sharedCallPath,
  signSharedCall,
  writeSharedRequest,
} from "@latchkey/service-kit/http";
import type { Tracing } from "@latchkey/service-kit/observe";
import type { GatewayConfig } from "../config.ts";
import {
  forward,
  type Forwarded,
  type ForwardRequest,
  receive,
  type ReceiveNeeds,
} from "./forward.ts";

/** Answers a request together with concurrent ones. Returns undefined if it must be sent alone. */
export type ShareCall = (request: ForwardRequest) => Promise<Forwarded | undefined>;

interface Needs extends ReceiveNeeds {
  services: Readonly<Record<string, ServicePool>>;
  ring: SecretRing;
  clock: () => number;
  config: Pick<GatewayConfig, "notShared" | "sharesCalls">;
  tracing?: Tracing | undefined;
}

/** Maximum length of a call. Even if each character takes three bytes, the owner accepts its body. */
const callCharactersMax = 256 * 1024;
/** Larger bodies would be escaped and copied for nothing. */
const bodyBytesMax = 8 * 1024;
/** Longer than a call usually takes, and short if a replica is silent. */
const waitMilliseconds = 10;

const canShare = ({ operation, caller, body, contentType }: ForwardRequest): boolean =>
  operation.sharesCalls === true &&
  (caller.sessionToken ?? caller.apiKeyId ?? caller.service) !== undefined &&
  (body === undefined ||
    (contentType?.toLowerCase().startsWith("application/json") === true &&
      body.length <= bodyBytesMax &&
      isUtf8(body)));

const entryOf = ({ caller, search, query, body }: ForwardRequest): string =>
  writeSharedRequest({
    caller,
    query: search === "" ? undefined : (query as object),
    body: body?.toString(),
  });

/** Returns the requests that fit into a call, and its text. */
const fill = (requests: readonly ForwardRequest[]) => {
  let length = 0;
  const chosen = requests
    .map((request) => ({ request, entry: entryOf(request) }))
    .filter(({ entry }) => {
      const fits = length + entry.length < callCharactersMax;
      if (fits) length += entry.length + 1;
      return fits;
    });
  return {
    sent: chosen.map(({ request }) => request),
    call: Buffer.from(`[${chosen.map(({ entry }) => entry).join(",")}]`),
  };
};

/** The seconds after which a client may retry if a store is unavailable to all requests of a call. */
const unavailable = (retryAfter: unknown): WireError =>
  new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds: Number(retryAfter) || 1 });

const withType = ({ headers, ...answer }: SharedAnswer): SharedAnswer => ({
  ...answer,
  headers: { "content-type": "application/json", ...headers },
});

const sendTogether = async (
  { ring, clock }: Needs,
  pool: ServicePool,
  requests: readonly ForwardRequest[],
): Promise<(SharedAnswer | undefined)[]> => {
  const [first, ...others] = requests;
  if (!first || others.length === 0) return [undefined];
  const { sent, call } = fill(requests);
  const headers = {
    [sharedCallHeader]: signSharedCall(ring, call, clock()),
    "content-type": "application/json",
    "x-request-id": first.caller.requestId,
  };
  const whole = { method: "POST", path: sharedCallPath, headers, body: call } as const;
  const { status, headers: received, body } = await sendRequest(pool, whole, { repeatable: true });
  if (status === 503) throw unavailable(received["retry-after"]);
  const isAnswered = status === 200; // unless the service is older than the call, for example
  const answers = isAnswered ? readSharedAnswers(body.toString()) : [];
  const answerOf = new Map(sent.map((request, index) => [request, answers[index]]));
  return requests.map((request) => answerOf.get(request));
};

const createSender = (deps: Needs, pool: ServicePool) =>
  readTogether((requests: readonly ForwardRequest[]) => sendTogether(deps, pool, requests), {
    statementsMax: pool.size, // so that one gateway can keep all replicas busy
    waitMilliseconds,
  });

/**
 * Creates the sharing of calls. Requests for one owner that begin in the same turn of the event loop share one call, which is sent after
 * all of them have begun. As many calls are pending at a time as there are replicas. Further requests wait for the end of one, for at most
 * `waitMilliseconds`, and share the next one. None joins a call that was sent, so each sees every change that ended before it. A request
 * without company is sent alone. With tracing all are, so that each has its own spans.
 */
export const createCallSharer = (deps: Needs): ShareCall => {
  const { config, services, tracing } = deps;
  if (!config.sharesCalls || tracing) return async () => undefined;
  const senders = new Map(
    Object.entries(services).map(([name, pool]) => [name, createSender(deps, pool)] as const),
  );
  return async (request) => {
    const { name, owner } = request.operation;
    const send = senders.get(owner);
    if (!send || !canShare(request) || config.notShared.has(name)) return undefined;
    const answer = await send(request);
    return answer && receive(deps, request.caller, withType(answer));
  };
};

/** Creates the way of a request to its owner: in a shared call, or alone. */
export const createForwarder = (
  deps: Parameters<typeof forward>[0] & { shareCall: ShareCall },
): ((request: ForwardRequest) => Promise<Forwarded>) => {
  return async (request) => (await deps.shareCall(request)) ?? forward(deps, request);
};
