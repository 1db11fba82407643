import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type Caller,
  callerHeader,
  type LatchkeyConfig,
  type SessionEffect,
  sessionEffectHeader,
} from "@latchkey/contracts";
import { startGatewayFor } from "./start-gateway.ts";

/** A request as identity would receive it. */
export interface ForwardedRequest {
  body: string;
  headers: IncomingHttpHeaders;
  /** The caller that the gateway vouches for. */
  caller: Caller;
}

/** The response of identity. By default 200 and null. */
export interface StubResponse {
  status?: number;
  headers?: Record<string, string>;
  effect?: SessionEffect;
}

/** A gateway in front of a stub of identity, for responses that identity cannot be made to give. */
export interface StubbedGateway {
  origin: string;
  /** Requests that passed the gateway, oldest first. */
  requests: ForwardedRequest[];
  /** Sets the response to all further requests. */
  respond(response: StubResponse): void;
  stop(): Promise<void>;
}

const encode = (effect: SessionEffect) => Buffer.from(JSON.stringify(effect)).toString("base64url");

const write = (response: ServerResponse, { status = 200, headers, effect }: StubResponse): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    ...headers,
    ...(effect ? { [sessionEffectHeader]: encode(effect) } : {}),
  });
  response.end(status === 302 ? "" : "null");
};

const readCaller = (header: unknown): Caller => {
  const text = String(header);
  const claim = text.slice(0, text.lastIndexOf("."));
  const json = claim.startsWith("{") ? claim : Buffer.from(claim, "base64url").toString();
  return JSON.parse(json) as Caller;
};

export const startGatewayOfStub = async (config: LatchkeyConfig = {}): Promise<StubbedGateway> => {
  const requests: ForwardedRequest[] = [];
  let planned: StubResponse = {};
  const identity = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
    text(request).then(
      (body) => {
        const { headers } = request;
        requests.push({ body, headers, caller: readCaller(headers[callerHeader]) });
        write(response, planned);
      },
      () => {},
    );
  });
  await once(identity.listen(0, "127.0.0.1"), "listening");
  const { port } = identity.address() as AddressInfo;
  const running = await startGatewayFor(`http://127.0.0.1:${port}`, { config });
  return {
    origin: running.url,
    requests,
    respond: (response) => {
      planned = response;
    },
    stop: async () => {
      await running.stop();
      identity.closeAllConnections();
      identity.close();
    },
  };
};
