import { operations } from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { boundedHolder, type Holder } from "./bounded-holder.ts";

/** Returns the active session of a token with its user, from a valid cookie cache, otherwise from identity. */
export const resolveHolder = async (
  { identity }: Pick<Deps, "identity">,
  {
    request,
    token,
    json,
  }: { request: FastifyRequest; token: string | undefined; json: string | undefined },
): Promise<Holder | undefined> => {
  if (token === undefined) return undefined;
  if (json !== undefined) return boundedHolder(JSON.parse(json) as Holder); // signed by us
  const found = await identity.call(
    operations.identity.resolveSession,
    { body: { token } },
    { requestId: request.id },
  );
  return found ? boundedHolder(found) : undefined;
};
