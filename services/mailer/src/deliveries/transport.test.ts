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
  });
  if (!created) throw new Error("A URL was given");
  return created;
};
beforeEach(async () => {
  smtp = await startSmtpCatcher({});
  transport = transportTo(smtp.url);
});
afterEach(async () => {
  transport.close();
  await smtp.stop();
});

const mail = {
  to: "ada@example.com",
  subject: "Verify your e-mail address",
  text: "Hello,",
  html: "<p>Hello,</p>",
  messageId: "<d1@latchkey>",
};
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("without a server there is no transport, so that mails are captured", () => {
  expect(createSmtpTransport({ from: "a@example.com", attemptsMax: 3 })).toBeUndefined();
});

test("a mail arrives as it was given, with the same message id at every try", async () => {
  await transport.send(mail);
  await transport.send(mail);
  expect(smtp.mails).toEqual([
    { ...mail, to: ["ada@example.com"], from: "a@example.com", links: [] },
    { ...mail, to: ["ada@example.com"], from: "a@example.com", links: [] },
  ]);
});

/** Attack: header injection, by which a stranger's text becomes a header or another recipient. */
describe.each([
  ["carriage return and line feed", "\r\n"],
  ["line feed", "\n"],
  ["carriage return", "\r"],
  ["an empty line", "\r\n\r\n"],
])("a subject with %s", (_what, lineBreak) => {
  test("stays one subject and reaches nobody else", async () => {
    const subject = `Verify${lineBreak}Bcc: eve@evil.example`;
    await transport.send({ ...mail, subject });
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
    const error = await errorOf(opened.send(mail));
    opened.close();
    return error;
  };

  test("a server that proves its name is given mails", async () => {
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    expect(await sendBy(`smtps://localhost:${secure.port}`)).toBeUndefined();
    expect(secure.mails).toHaveLength(1);
  });

  /** Attack: who sits on the network in between reads the links, by which accounts are opened. */
  test("one that cannot prove its name is given none", async () => {
    expect(await sendBy(`smtps://localhost:${secure.port}`)).toMatchObject({ code: "ESOCKET" });
    setDefaultCACertificates([...originals, localhostCertificate.cert]);
    expect(await sendBy(secure.url)).toMatchObject({ code: "ESOCKET" });
    expect(secure.mails).toEqual([]);
  });

  /** Attack: who sits in between takes the offer of TLS out of the greeting. */
  test("one that offers none is given no mail where the URL requires it", async () => {
    expect(await sendBy(`${smtp.url}?requireTLS=true`)).toMatchObject({ code: "ETLS" });
    expect(smtp.mails).toEqual([]);
  });
});

describe("isPermanentRefusal", () => {
  test("a recipient refused with 5xx is refused for good", async () => {
    smtp.refuse("permanent");
    expect(isPermanentRefusal(await errorOf(transport.send(mail)))).toBe(true);
  });

  test("a recipient refused with 4xx may be taken later", async () => {
    smtp.refuse("temporary");
    expect(isPermanentRefusal(await errorOf(transport.send(mail)))).toBe(false);
  });

  test("a server that is away may come back", async () => {
    const nobody = transportTo(`smtp://127.0.0.1:${await freePort()}`);
    const error = await errorOf(nobody.send(mail));
    nobody.close();
    expect(error).toBeInstanceOf(Error);
    expect(isPermanentRefusal(error)).toBe(false);
  });

  test.each([
    ["an error of ours", new Error("out of luck")],
    ["credentials that are refused", { responseCode: 535, command: "AUTH PLAIN" }],
    ["a server that refuses everybody", { responseCode: 554, command: "CONN" }],
    ["nothing", {}],
  ])("%s may pass", (_what, error) => {
    expect(isPermanentRefusal(error)).toBe(false);
  });
});
