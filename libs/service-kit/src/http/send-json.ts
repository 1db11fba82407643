import type { FastifyReply } from "fastify";

/** Sends JSON text as `application/json`; as bytes, because Fastify would add a charset that the wire does not have. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.header("content-type", "application/json").send(Buffer.from(json));
