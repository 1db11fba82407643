import {
  createVerifier,
  type Verification,
  type VerifiedKey,
  type VerifierOptions,
} from "@latchkey/server";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

type Refusal = Extract<Verification, { ok: false }>;

const statuses: Record<Refusal["reason"], number> = {
  malformed: 401,
  unknown: 401,
  disabled: 401,
  expired: 401,
  banned: 401,
  exhausted: 401,
  forbidden: 403,
  "rate-limited": 429,
  throttled: 503,
  unavailable: 503,
};

const refuse = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  if (refusal.reason === "unavailable") reply.log.error(refusal.cause);
  if ("retryAfterMilliseconds" in refusal)
    reply.header("retry-after", Math.ceil(refusal.retryAfterMilliseconds / 1000));
  return reply.code(statuses[refusal.reason]).send({ error: refusal.reason });
};

/** An API of invoices for programs with a key. Every valid key reads; only a key with the permission pays. */
export const buildInvoiceApi = (options: VerifierOptions): FastifyInstance => {
  const verifier = createVerifier(options);
  const app = Fastify();
  app.decorateRequest("apiKey", null);

  /** Uses the key of a request once. Refuses the request unless the key is valid and has the permissions. */
  const needs =
    (permissions?: Record<string, string[]>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const key = String(request.headers["x-api-key"] ?? "");
      const result = await verifier.verify(key, permissions && { permissions });
      if (!result.ok) return refuse(reply, result);
      request.setDecorator<VerifiedKey>("apiKey", result.key);
      return undefined;
    };
  const ownerOf = (request: FastifyRequest) => {
    const { userId, organizationId } = request.getDecorator<VerifiedKey>("apiKey");
    return { userId, organizationId };
  };

  app.get("/invoices", { preHandler: needs() }, (request) => ({ of: ownerOf(request) }));
  const mayPay = { preHandler: needs({ invoice: ["pay"] }) };
  app.post("/invoices", mayPay, (request) => ({ paidBy: ownerOf(request) }));
  return app;
};

if (import.meta.main) {
  const { APIKEY_URL: url = "http://localhost:3003", SERVICE_TOKEN: token = "" } = process.env;
  const address = await buildInvoiceApi({ url, token }).listen({
    port: Number(process.env["PORT"] ?? 4000),
  });
  process.stdout.write(`invoices at ${address}/invoices\n`);
}
