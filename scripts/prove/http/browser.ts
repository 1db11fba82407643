import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation, OperationReply, Wire } from "@latchkey/contracts";
import { NotProven } from "../not-proven.ts";
import type { Answer, RawRequest } from "./connections.ts";
import type { Door } from "./door.ts";
import { type Sent, targetOf } from "./target-of.ts";

/** How one request differs from what a browser sends by itself. */
export interface Manner {
  /** By number; in turn otherwise. */
  replica?: number;
  /** Takes a refusal for the rate limit as the answer, where it would wait and ask again. */
  isOnce?: boolean;
  /** Over its own; undefined sends none of that name. */
  headers?: Readonly<Record<string, string | undefined>>;
}

/** A client that keeps cookies and says its origin, as a browser does. */
export interface Browser {
  cookies: Map<string, string>;
  /** A copy, which holds what this one does now and learns of nothing later. */
  copy(): Browser;
  ask<O extends Operation>(
    operation: O,
    sent?: Sent,
    manner?: Manner,
  ): Promise<Answer<Wire<OperationReply<O>>>>;
  send(raw: Omit<RawRequest, "headers">, manner?: Manner): Promise<Answer>;
}

export interface BrowserOptions {
  door: Door;
  /** Ends all asking. */
  signal?: AbortSignal | undefined;
  cookies?: Map<string, string>;
}

/** Longer than any window of a rate limit that a run can wait for. */
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

/** One of the addresses of documentation (RFC 3849), a network of its own, which no client has. */
export const madeUpAddress = (): string => {
  const [first = 0, second = 0] = new Uint16Array(randomBytes(4).buffer.slice(0, 4));
  return `2001:db8:${first.toString(16)}:${second.toString(16)}::1`;
};

const secondsToWait = ({ status, headers }: Answer): number | undefined => {
  const seconds = Number(headers["retry-after"]);
  const asksToWait = status === 429 || status === 503;
  return asksToWait && Number.isFinite(seconds) ? seconds : undefined;
};

let turn = 0;

export const createBrowser = (options: BrowserOptions): Browser => {
  const { door, signal, cookies = new Map<string, string>() } = options;
  const address = madeUpAddress();

  const headersOf = ({ method }: Pick<RawRequest, "method">, { headers = {} }: Manner) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const all: Record<string, string | undefined> = {
      host: undefined,
      origin: door.origin,
      "user-agent": "latchkey prove",
      // Counts where we are a trusted proxy, and nowhere else.
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
      const answer = await door.send(manner.replica ?? (turn += 1), { ...raw, headers });
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
