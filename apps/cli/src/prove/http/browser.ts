import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Operation,
  type OperationReply,
  sdkVersionHeader,
  type Wire,
} from "@latchkey/contracts";
import { NotProven } from "../not-proven.ts";
import type { Answer, RawRequest } from "./connections.ts";
import type { GatewayClient } from "./gateway-client.ts";
import { type Sent, targetOf } from "./target-of.ts";

/** The ways in which a request differs from a browser's defaults. */
export interface Manner {
  /** The replica by number. Replicas are used in turn by default. */
  replica?: number;
  /** Returns a rate limit refusal instead of waiting and retrying. */
  isOnce?: boolean;
  /** Overrides the browser's headers. Undefined removes a header. */
  headers?: Readonly<Record<string, string | undefined>>;
}

/** A client that keeps cookies and sends its origin, as a browser does. */
export interface Browser {
  cookies: Map<string, string>;
  /** Returns a copy of the current state. It does not receive later changes. */
  copy(): Browser;
  ask<O extends Operation>(
    operation: O,
    sent?: Sent,
    manner?: Manner,
  ): Promise<Answer<Wire<OperationReply<O>>>>;
  send(raw: Omit<RawRequest, "headers">, manner?: Manner): Promise<Answer>;
}

export interface BrowserOptions {
  gateway: GatewayClient;
  /** Aborts all requests. */
  signal?: AbortSignal | undefined;
  cookies?: Map<string, string>;
}

/** Longer than any rate limit window that a run can wait for. */
const waitSecondsMax = 90;
const triesMax = 4;

const keep = (cookies: Map<string, string>, lines: readonly string[]): void => {
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (attributes.some((attribute) => attribute.trim().toLowerCase() === "max-age=0"))
      cookies.delete(name);
    else cookies.set(name, value);
  }
};

/** Returns a random address of the documentation range (RFC 3849) in a separate network, which no real client has. */
export const madeUpAddress = (): string => {
  const [first = 0, second = 0] = new Uint16Array(randomBytes(4).buffer.slice(0, 4));
  return `2001:db8:${first.toString(16)}:${second.toString(16)}::1`;
};

const secondsToWait = ({ status, headers }: Answer): number | undefined => {
  const seconds = Number(headers["retry-after"]);
  const isThrottled = status === 429 || status === 503;
  return isThrottled && Number.isFinite(seconds) ? seconds : undefined;
};

let turn = 0;

export const createBrowser = (options: BrowserOptions): Browser => {
  const { gateway, signal, cookies = new Map<string, string>() } = options;
  const address = madeUpAddress();

  const headersOf = ({ method }: Pick<RawRequest, "method">, { headers = {} }: Manner) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const all: Record<string, string | undefined> = {
      host: undefined,
      origin: gateway.origin,
      "user-agent": "latchkey prove",
      // The checks know the codes of 1.2.
      [sdkVersionHeader]: "1.2",
      // Has an effect only if the run's address is a trusted proxy.
      "x-forwarded-for": address,
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...(cookie ? { cookie } : {}),
      ...headers,
    };
    const present = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present) as Record<string, string>;
  };

  const send: Browser["send"] = async (raw, manner = {}) => {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted();
      const headers = headersOf(raw, manner);
      const answer = await gateway.send(manner.replica ?? (turn += 1), { ...raw, headers });
      const seconds = manner.isOnce ? undefined : secondsToWait(answer);
      if (seconds === undefined) {
        keep(cookies, answer.cookies);
        return answer;
      }
      if (tries === triesMax || seconds > waitSecondsMax)
        throw new NotProven(`a rate limit that lets ${raw.method} ${raw.target} through`);
      await sleep(seconds * 1000, undefined, signal ? { signal } : {});
    }
  };

  return {
    cookies,
    copy: () => createBrowser({ ...options, cookies: new Map(cookies) }),
    send,
    ask: async (operation, sent = {}, manner) => {
      const { method } = operation;
      const target = targetOf(operation, sent);
      const body = method === "POST" ? { body: JSON.stringify(sent.body ?? {}) } : {};
      return (await send({ method, target, ...body }, manner)) as Answer<never>;
    },
  };
};
