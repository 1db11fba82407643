import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import {
  freePort,
  localhostCertificate,
  type SmtpCatcher,
  startSmtpCatcher,
} from "@latchkey/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSmtpTransport, isPermanentRefusal, type Transport } from "./transport.ts";

let smtp: SmtpCatcher;
let transport: Transport;
const transportTo = (smtpUrl: string): Transport => {
  const created = createSmtpTransport({
    from: "Latchkey <a@example.com>",
    smtpUrl,
    attemptsMax: 3,
    locale: "en",
  });
  if (!created) throw new Error("expected a transport");
  return created;
};
beforeEach(async () => {
  smtp = await startSmtpCatcher({});
  transport = transportTo(smtp.url);
});
afterEach(async () => {
  await transport.close();
  await smtp.stop();
});

const mail = {
  to: "ada@example.com",
  subject: "Verify your email",
  text: "Hello,",
  html: "<p>Hello,</p>",
  messageId: "<d1@latchkey>",
};
const { signal } = new AbortController();
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("returns no transport without a server", () => {
  expect(
    createSmtpTransport({ from: "a@example.com", attemptsMax: 3, locale: "en" }),
  ).toBeUndefined();
});

test("sends a mail unchanged, with the same message id at every attempt", async () => {
  await transport.send(mail, signal);
  await transport.send(mail, signal);
  expect(smtp.mails).toEqual([
    { ...mail, to: ["ada@example.com"], from: "a@example.com", links: [] },
    { ...mail, to: ["ada@example.com"], from: "a@example.com", links: [] },
  ]);
});

test("an aborted mail ends its connection to a server that hangs", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const hanging = transportTo(`smtp://127.0.0.1:${port}`);
  const ending = new AbortController();
  const failed = errorOf(hanging.send(mail, ending.signal));
  const [socket] = (await once(silent, "connection")) as [Socket];
  ending.abort();
  expect(await failed).toBeInstanceOf(Error);
  await once(socket.resume(), "close");
  await hanging.close();
  silent.close();
});

/** Attack: header injection, which turns a stranger's text into a header or another recipient. */
describe.each([
  ["carriage return and line feed", "\r\n"],
  ["line feed", "\n"],
  ["carriage return", "\r"],
  ["an empty line", "\r\n\r\n"],
])("a subject with %s", (_what, lineBreak) => {
  test("stays one subject and adds no recipient", async () => {
    const subject = `Verify${lineBreak}Bcc: eve@evil.example`;
    await transport.send({ ...mail, subject }, signal);
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]).toMatchObject({ to: ["ada@example.com"], text: "Hello," });
    expect(smtp.mails[0]?.subject).toMatch(/^Verify\s*Bcc: eve@evil\.example$/);
  });
});

describe("over TLS", () => {
  const originals = getCACertificates("default");
  let secure: SmtpCatcher;
  beforeEach(async () => {
    secure = await startSmtpCatcher({ tls: localhostCertificate });
  });
  afterEach(async () => {
    setDefaultCACertificates(originals);
    await secure.stop();
  });

  const sendBy = async (url: string): Promise<unknown> => {
    const opened = transportTo(url);
    const error = await errorOf(opened.send(mail, signal));
    await opened.close();
    return error;
  };

  test("sends mails to a server with a valid certificate", async () => {
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    expect(await sendBy(`smtps://localhost:${secure.port}`)).toBeUndefined();
    expect(secure.mails).toHaveLength(1);
  });

  /** Attack: a man in the middle reads the links, which give access to accounts. */
  test("sends nothing to a server with an invalid certificate", async () => {
    expect(await sendBy(`smtps://localhost:${secure.port}`)).toMatchObject({ code: "ESOCKET" });
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    expect(await sendBy(secure.url)).toMatchObject({ code: "ESOCKET" });
    expect(secure.mails).toEqual([]);
  });

  /** Attack: a man in the middle removes the STARTTLS offer from the greeting. */
  test("sends nothing to a server without TLS if the URL requires it", async () => {
    expect(await sendBy(`${smtp.url}?requireTLS=true`)).toMatchObject({ code: "ETLS" });
    expect(smtp.mails).toEqual([]);
  });
});

describe("isPermanentRefusal", () => {
  test("returns true for a recipient that is rejected with 5xx", async () => {
    smtp.refuse("permanent");
    expect(isPermanentRefusal(await errorOf(transport.send(mail, signal)))).toBe(true);
  });

  test("returns false for a recipient that is rejected with 4xx", async () => {
    smtp.refuse("temporary");
    expect(isPermanentRefusal(await errorOf(transport.send(mail, signal)))).toBe(false);
  });

  test("returns false for an unavailable server", async () => {
    const nobody = transportTo(`smtp://127.0.0.1:${await freePort()}`);
    const error = await errorOf(nobody.send(mail, signal));
    await nobody.close();
    expect(error).toBeInstanceOf(Error);
    expect(isPermanentRefusal(error)).toBe(false);
  });

  test.each([
    ["our own error", new Error("out of luck")],
    ["rejected credentials", { responseCode: 535, command: "AUTH PLAIN" }],
    ["a server that rejects all clients", { responseCode: 554, command: "CONN" }],
    ["nothing", {}],
  ])("returns false for %s", (_what, error) => {
    expect(isPermanentRefusal(error)).toBe(false);
  });
});
