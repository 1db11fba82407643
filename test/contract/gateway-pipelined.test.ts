import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readAnswers } from "../reliability/abuse/wire/read-answers.ts";
import { useSystem } from "../harness/use-system.ts";

const { system } = useSystem({ stores: "postgres" });

const open = () => {
  const { port, hostname } = new URL(system.origin);
  return connect({ port: Number(port), host: hostname });
};

const requestFor = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`;

test("answers a hundred requests in one write in order", async () => {
  const paths = ["/api/auth/list-sessions", "/api/auth/ok", "/nowhere", "/api/reference"];
  const requestedPaths = Array.from(
    { length: 99 },
    (_, index) => paths[index % paths.length] ?? "",
  );
  const socket = open();
  socket.write(
    requestedPaths.map((path) => requestFor(path)).join("") +
      requestFor("/api/auth/ok", "connection: close\r\n"),
  );
  const { answers } = readAnswers(Buffer.from(await text(socket)));
  const statuses = { "/api/auth/list-sessions": 401, "/nowhere": 404 } as Record<string, number>;
  expect(answers.map(({ status }) => status)).toEqual([
    ...requestedPaths.map((path) => statuses[path] ?? 200),
    200,
  ]);
});

/** Attack: sending requests endlessly without reading answers, so that all of them are kept in memory. */
test("a connection with too many pending requests is closed", async () => {
  const socket = open();
  socket.on("error", () => {}); // it may be closed by a reset
  socket.write(requestFor("/api/auth/list-sessions").repeat(1_000));
  socket.resume();
  await once(socket, "close");
  expect((await fetch(`${system.url}/ok`)).status).toBe(200);
});
