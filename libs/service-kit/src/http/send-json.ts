import type { FastifyReply } from "fastify";

const asItIs = (json: unknown) => json as string; // what `sendJson` sends

/** Sends JSON text as `application/json`; a serializer of its own keeps Fastify from adding a charset. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.header("content-type", "application/json").serializer(asItIs).send(json);
