import type { LatchkeyConfig, Operation } from "@latchkey/contracts";
import { expect } from "vitest";
import { type Sent, targetOf } from "../../apps/cli/src/prove/http/target-of.ts";
import type { BrowserLike } from "./browser-like.ts";
import { type ClientResponse, readResponse } from "./responses.ts";
import type { System } from "./start-system.ts";

export type { Sent };

/** A client with or without a session. */
export interface Client {
  browser: BrowserLike;
}

/** The service of the application that calls internal operations. */
export const callingService = "backoffice";

/** Allows a service of the application to call internal operations, and logs nothing. */
export const serviceConfig = {
  logger: { disabled: true },
  serviceTokens: { [callingService]: "a token of a service, for tests" },
} satisfies LatchkeyConfig;

export const serviceHeaders = {
  authorization: `Bearer ${serviceConfig.serviceTokens[callingService]}`,
};

/** Calls an operation at the gateway with the cookies of a client. */
export const callOperation = async <Body = unknown>(
  { browser }: Client,
  operation: Operation,
  input: Sent = {},
): Promise<ClientResponse<Body>> => {
  const target = targetOf(operation, input);
  return readResponse<Body>(
    await (operation.method === "GET" ? browser.get(target) : browser.post(target, input.body)),
  );
};

/** Posts to an internal path of a service, as a service of the application does. */
export const postInternal = async <Body = unknown>(
  url: string,
  body: unknown,
  headers: Record<string, string> = serviceHeaders,
): Promise<ClientResponse<Body>> =>
  readResponse<Body>(
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );

/** Calls an internal operation at its owner, as a service of the application does. */
export const callInternal = <Body = unknown>(
  system: Pick<System, "urlOf">,
  { owner, path }: Operation,
  { body }: Sent,
  headers?: Record<string, string>,
): Promise<ClientResponse<Body>> =>
  postInternal<Body>(`${system.urlOf(owner)}/internal${path}`, body, headers);

/** Asserts success and returns the body. */
export const expectOk = async <Body>(response: Promise<ClientResponse<Body>>): Promise<Body> => {
  const { status, body } = await response;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
