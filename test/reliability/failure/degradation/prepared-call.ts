import type { Operation } from "@latchkey/contracts";
import type { BrowserLike } from "../../../harness/browser-like.ts";
import { serviceConfig } from "../../../harness/operations.ts";
import { signedByGateway } from "../../../harness/signed-by-gateway.ts";
import { type Sent, targetOf } from "../../../../apps/cli/src/prove/http/target-of.ts";
import type { World } from "./world.ts";

/** A valid request with all prerequisites, sent by a browser, by a service of the application, or by one of the system. */
export interface PreparedCall {
  by: { browser: BrowserLike } | "service" | "gateway";
  sent: Sent;
  /** Runs right before the request, bypassing the failing links. */
  first?: () => Promise<unknown>;
}

/** Creates the prerequisites of an operation. */
export type Prepare = (world: World) => PreparedCall | Promise<PreparedCall>;

/** The answer to the caller. The status is undefined if there was none. */
export interface Got {
  status: number | undefined;
  retryAfter: string | null;
  location: string | null;
  /** The body, or the reason why there was no answer. */
  text: string;
  tookMs: number;
}

/** Internal operations are called at their owner, where other services find it. */
const sendInside = (world: World, operation: Operation, { by, sent }: PreparedCall) => {
  const { [operation.owner as keyof World["links"]["services"]]: link } = world.links.services;
  const token = { authorization: `Bearer ${serviceConfig.serviceTokens.backoffice}` };
  const own = by === "gateway" ? signedByGateway(operation.name) : token;
  return fetch(`${link.url}/internal${targetOf(operation, sent)}`, {
    method: operation.method,
    headers: { ...own, "content-type": "application/json" },
    body: JSON.stringify(sent.body ?? {}),
  });
};

const send = (world: World, operation: Operation, call: PreparedCall): Promise<Response> => {
  const { by, sent } = call;
  if (typeof by === "string") return sendInside(world, operation, call);
  const address = targetOf(operation, sent);
  return operation.method === "GET" ? by.browser.get(address) : by.browser.post(address, sent.body);
};

export const sendPrepared = async (
  world: World,
  operation: Operation,
  call: PreparedCall,
): Promise<Got> => {
  await call.first?.();
  const begun = performance.now();
  const took = () => performance.now() - begun;
  try {
    const answer = await send(world, operation, call);
    const text = await answer.text();
    return {
      status: answer.status,
      retryAfter: answer.headers.get("retry-after"),
      location: answer.headers.get("location"),
      text,
      tookMs: took(),
    };
  } catch (error) {
    const text = String((error as Error).cause ?? error);
    return { status: undefined, retryAfter: null, location: null, text, tookMs: took() };
  }
};
