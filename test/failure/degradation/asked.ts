import { callerHeader, type Operation } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { signCaller } from "@latchkey/service-kit";
import type { BrowserLike } from "../../browser-like.ts";
import { adminConfig } from "../../contract/admin-people.ts";
import { type Sent, targetOf } from "../../../scripts/prove/http/target-of.ts";
import { testSecret } from "../../stack.ts";
import type { World } from "./world.ts";

/** A valid request, all that it needs in place: by a browser, by a service of the application, or by one of the house. */
export interface Asked {
  by: { browser: BrowserLike } | "service" | "gateway";
  sent: Sent;
  /** What comes right before it, past everything that is away. */
  first?: () => Promise<unknown>;
}

/** Makes what an operation needs to succeed. */
export type Prepare = (world: World) => Asked | Promise<Asked>;

/** What whoever asked got: undefined for no answer at all. */
export interface Got {
  status: number | undefined;
  retryAfter: string | null;
  location: string | null;
  /** What was said, or why nothing was. */
  text: string;
  tookMs: number;
}

/** As the gateway asks in its own name. */
const signedByGateway = (operation: string): Record<string, string> => {
  const nobody = { requestId: "request", baseUrl: "", address: "", userAgent: "" };
  const caller = { ...nobody, operation, service: "gateway" };
  return { [callerHeader]: signCaller(createSecretRing([testSecret]), caller, Date.now()) };
};

/** Internal operations are asked where other services find their owner. */
const sendInside = (world: World, operation: Operation, { by, sent }: Asked) => {
  const { [operation.owner as keyof World["links"]["services"]]: link } = world.links.services;
  const token = { authorization: `Bearer ${adminConfig.serviceTokens.backoffice}` };
  const own = by === "gateway" ? signedByGateway(operation.name) : token;
  return fetch(`${link.url}/internal${targetOf(operation, sent)}`, {
    method: operation.method,
    headers: { ...own, "content-type": "application/json" },
    body: JSON.stringify(sent.body ?? {}),
  });
};

const send = (world: World, operation: Operation, asked: Asked): Promise<Response> => {
  const { by, sent } = asked;
  if (typeof by === "string") return sendInside(world, operation, asked);
  const address = targetOf(operation, sent);
  return operation.method === "GET" ? by.browser.get(address) : by.browser.post(address, sent.body);
};

export const ask = async (world: World, operation: Operation, asked: Asked): Promise<Got> => {
  await asked.first?.();
  const begun = performance.now();
  const took = () => performance.now() - begun;
  try {
    const answer = await send(world, operation, asked);
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
