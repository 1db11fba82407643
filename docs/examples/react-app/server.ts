import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { createLatchkey, handBackCookies, LatchkeyError, type LiveSession } from "@latchkey/server";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

interface Note {
  id: string;
  text: string;
}

interface NotesOptions {
  /** The base URL of Latchkey. */
  latchkeyUrl: string;
  /** The folder that `vite build` has written. */
  pages: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Serves the built files by name, so that no path leads out of the folder. */
const servePages = async (app: FastifyInstance, pages: string): Promise<void> => {
  const files = await readdir(pages, { recursive: true });
  for (const file of files.filter((name) => types[extname(name)])) {
    const path = file === "index.html" ? "/" : `/${file}`;
    app.get(path, (_, reply) =>
      reply.type(types[extname(file)] ?? "").send(createReadStream(join(pages, file))),
    );
  }
};

/** An application with notes, which each user has in each organization. */
export const buildNotes = async ({
  latchkeyUrl,
  pages,
}: NotesOptions): Promise<FastifyInstance> => {
  const latchkey = createLatchkey({ url: latchkeyUrl });
  const notes = new Map<string, Note[]>();
  const app = Fastify();
  app.decorateRequest("caller", null);
  await servePages(app, pages);

  app.setErrorHandler((error, _, reply) => {
    // Without an answer of Latchkey the user may be signed in, so this is not 401.
    if (!(error instanceof LatchkeyError)) return reply.send(error);
    return reply
      .code(503)
      .header("retry-after", error.retryAfterSeconds ?? 1)
      .send({ error: error.code });
  });

  const signedIn = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const caller = await latchkey.getSession(request, { live: true });
    handBackCookies(reply, caller);
    if (!caller.isSignedIn) return reply.code(401).send({ error: "signed-out" });
    request.setDecorator<LiveSession>("caller", caller);
    return undefined;
  };
  /** Returns the notes of the user in the active organization. */
  const notesOf = (request: FastifyRequest): Note[] => {
    const { userId, session } = request.getDecorator<LiveSession>("caller");
    const key = JSON.stringify([userId, session.activeOrganizationId ?? null]);
    const own = notes.get(key) ?? [];
    notes.set(key, own);
    return own;
  };

  app.get("/notes", { preHandler: signedIn }, (request) => ({ notes: notesOf(request) }));
  const body = {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string", minLength: 1, maxLength: 1000 } },
  };
  app.post<{ Body: { text: string } }>(
    "/notes",
    { preHandler: signedIn, schema: { body } },
    (request) => {
      const own = notesOf(request);
      own.push({ id: randomUUID(), text: request.body.text });
      return { notes: own };
    },
  );
  return app;
};

if (import.meta.main) {
  const { LATCHKEY_URL: latchkeyUrl = "http://localhost:3000/api/auth", PORT = "4000" } =
    process.env;
  const app = await buildNotes({ latchkeyUrl, pages: join(import.meta.dirname, "dist") });
  process.stdout.write(`notes at ${await app.listen({ port: Number(PORT) })}\n`);
}
