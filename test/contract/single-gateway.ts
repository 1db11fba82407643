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
import { gateway } from "@latchkey/gateway";
import { readSettings, runService } from "@latchkey/service-kit";
import { testSecret } from "../stack.ts";

/** A request as identity would receive it. */
export interface Reached {
  body: string;
  headers: IncomingHttpHeaders;
  /** The caller that the gateway vouches for. */
  caller: Caller;
}

/** The planned answer of identity. By default 200 and null. */
export interface Planned {
  status?: number;
  headers?: Record<string, string>;
  effect?: SessionEffect;
}

/** A gateway in front of planned answers. */
export interface SingleGateway {
  origin: string;
  /** Requests that passed the gateway, oldest first. */
  reached: Reached[];
  /** Sets the answer to all further requests. */
  plan(planned: Planned): void;
  stop(): Promise<void>;
}

const encode = (effect: SessionEffect) => Buffer.from(JSON.stringify(effect)).toString("base64url");

const answerWith = (response: ServerResponse, { status = 200, headers, effect }: Planned): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    ...headers,
    ...(effect ? { [sessionEffectHeader]: encode(effect) } : {}),
  });
  response.end(status === 302 ? "" : "null");
};

const vouchedFor = (header: unknown): Caller => {
  const [claim = ""] = String(header).split(".");
  return JSON.parse(Buffer.from(claim, "base64url").toString()) as Caller;
};

export const startSingleGateway = async (config: LatchkeyConfig = {}): Promise<SingleGateway> => {
  const reached: Reached[] = [];
  let planned: Planned = {};
  const behind = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
    text(request).then(
      (body) => {
        const { headers } = request;
        reached.push({ body, headers, caller: vouchedFor(headers[callerHeader]) });
        answerWith(response, planned);
      },
      () => {},
    );
  });
  await once(behind.listen(0, "127.0.0.1"), "listening");
  const settings = readSettings(
    {
      secret: [testSecret],
      databaseUrl: "postgres://127.0.0.1/never-asked",
      logger: { level: "silent" },
      ...config,
    },
    {
      HOST: "127.0.0.1",
      PORT: "0",
      GATEWAY_INTERNAL_PORT: "0",
      IDENTITY_URL: `http://127.0.0.1:${(behind.address() as AddressInfo).port}`,
    },
  );
  const running = await runService(gateway, settings);
  return {
    origin: running.url,
    reached,
    plan: (next) => {
      planned = next;
    },
    stop: async () => {
      await running.stop();
      behind.closeAllConnections();
      behind.close();
    },
  };
};
