import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectKeepAlive } from "./keep-alive-client.ts";

const text = "a long text\r\n0\r\n\r\n".repeat(5000);
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/chunked") response.write(text);
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("reads answers of known length and in chunks over one connection", async () => {
  const { port } = server.address() as AddressInfo; // listens on a port
  const client = await connectKeepAlive(new URL(`http://127.0.0.1:${port}`));
  try {
    for (const path of ["/chunked", "/", "/chunked"]) {
      const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      const { status, body } = await client.send(request);
      expect(status).toBe(200);
      expect(body.toString()).toBe(path === "/chunked" ? text + text : text);
    }
  } finally {
    client.close();
  }
});
