import { hash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createLogger, createMetrics } from "@latchkey/service-kit/observe";
import { createTestClock } from "@latchkey/testkit";
import { afterEach, expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { createCommonPasswordCheck, encodeCommonPasswords } from "./common-passwords.ts";
import { createCompromisedPasswords } from "./compromised-passwords.ts";

const clock = createTestClock();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const create = (emailAndPassword: object) => {
  const metrics = createMetrics("test");
  const config = identityConfig({
    emailAndPassword,
    advanced: { outbound: { privateHosts: ["127.0.0.1"] } },
  });
  const logger = createLogger({ service: "test", level: "silent" });
  const passwords = createCompromisedPasswords({ config, logger, metrics, clock: clock.now });
  ends.push(passwords.close);
  const countOf = async (outcome: string) =>
    new RegExp(`outcome="${outcome}"[^}]*} (\\d+)`).exec(await metrics.registry.metrics())?.[1];
  return { ...passwords, countOf };
};

const serve = async (answer: RequestListener) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${String(request.headers["add-padding"])}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/range/`, requests };
};

test.each(["password", "PASSWORD", "Password1", "ｐassword", "qwertyuiop", "iloveyou"])(
  "the list that comes with Latchkey has %j",
  async (password) => {
    const list = create({});
    expect(await list.includes(password)).toBe(true);
    expect(await list.countOf("compromised")).toBe("1");
  },
);

test.each(["correct horse battery", "blue kettle 74 river", "zxcvbnm,./ and more"])(
  "it does not have %j",
  async (password) => expect(await create({}).includes(password)).toBe(false),
);

test("an encoded list has all of its passwords of eight characters, and no other one", () => {
  const listed = Array.from({ length: 3_000 }, (_, index) => `Listed ${index} of many`);
  const { bytes, count } = encodeCommonPasswords([...listed, "short", "LISTED 1 OF MANY"]);
  const includes = createCommonPasswordCheck(bytes);
  expect(count).toBe(3_000);
  expect(listed.every(includes)).toBe(true);
  expect(Array.from({ length: 3_000 }, (_, index) => `other ${index}`).some(includes)).toBe(false);
});

test("if it is off, every password passes", async () => {
  expect(await create({ compromisedPasswords: "off" }).includes("password")).toBe(false);
});

const digest = (password: string) => hash("sha1", password, "hex").toUpperCase();

test("the service learns five digits of the hash, and its padding counts for nothing", async () => {
  const [leaked, padded] = ["a leaked password", "a padded password"];
  const { url, requests } = await serve((_request, response) => {
    response.end(`${digest(leaked).slice(5)}:12\r\n${digest(padded).slice(5)}:0\r\n`);
  });
  const service = create({ compromisedPasswords: "service", compromisedPasswordsURL: url });
  expect([await service.includes(leaked), await service.includes(padded)]).toEqual([true, false]);
  expect(requests).toEqual([
    `/range/${digest(leaked).slice(0, 5)} true`,
    `/range/${digest(padded).slice(0, 5)} true`,
  ]);
});

test("an outage of the service lets passwords through, is counted, and is not waited for again", async () => {
  const { url, requests } = await serve((_request, response) => {
    response.writeHead(503).end();
  });
  const service = create({ compromisedPasswords: "service", compromisedPasswordsURL: url });
  for (let call = 0; call < 3; call += 1) expect(await service.includes("password")).toBe(false);
  expect(requests).toHaveLength(1);
  expect([await service.countOf("failed"), await service.countOf("skipped")]).toEqual(["1", "2"]);
  clock.advance(31_000);
  await service.includes("password");
  expect(requests).toHaveLength(2);
});

test("a service that does not answer is given a second", async () => {
  const { url } = await serve(() => {});
  const service = create({ compromisedPasswords: "service", compromisedPasswordsURL: url });
  expect(await service.includes("password")).toBe(false);
  expect(await service.countOf("failed")).toBe("1");
});
