import type { FastifyReply } from "fastify";

const asItIs = (json: unknown) => json as string; // already JSON text

/** Sends JSON text as `application/json`. The custom serializer keeps Fastify from adding a charset. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.header("content-type", "application/json").serializer(asItIs).send(json);
