import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSmtp } from "./transport.ts";

expectNoLeaks("file");

/** An SMTP server that rejects all sign-ins and quotes the client. */
let server: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined); // the client may disconnect first
    socket.write("220 Ready\r\n");
    createInterface({ input: socket }).on("line", (line) => {
      const said = Buffer.from(line.split(" ")[2] ?? "", "base64").toString();
      const isGreeting = line.startsWith("EHLO");
      socket.write(isGreeting ? "250-smtp\r\n250 AUTH PLAIN\r\n" : `535 ${line} ${said}\r\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
});

/** Attack: the password is read from the output of `doctor`. */
test("reports a rejected sign-in by its code without the server's text", async () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const smtpUrl = `smtp://carol:correct-horse@127.0.0.1:${port}`;
  await expect(checkSmtp({ smtpUrl, milliseconds: 4_000 })).rejects.toMatchObject({
    code: "EAUTH",
    message: "the SMTP server rejected the sign-in: EAUTH 535",
  });
});
