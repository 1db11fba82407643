import { describe, expect, test } from "vitest";

import { createClientAddressReader } from "./client-address.ts";
import { compileTrustedProxies } from "./trusted-proxies.ts";

const forwarded = (value: string) => (name: string) =>
  name === "x-forwarded-for" ? value : undefined;
const nothing = () => undefined;

describe("without trusted proxies", () => {
  const read = createClientAddressReader({ isTrustedProxy: undefined });

  test.each([
    ["1.2.3.4", "1.2.3.4"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["2001:DB8::1", "2001:db8::1"],
    [undefined, undefined],
    ["", undefined],
  ])("the client of the peer %s is %s", (peer, client) => {
    expect(read(peer, nothing)).toBe(client);
  });

  /** Attack: a forged header in each request, to get a fresh limit each time or to use another client's address. */
  test("ignores a forwarded header", () => {
    expect(read("1.2.3.4", forwarded("9.9.9.9"))).toBe("1.2.3.4");
  });
});

describe("with trusted proxies", () => {
  const read = createClientAddressReader({
    isTrustedProxy: compileTrustedProxies([
      "10.0.0.0/8",
      "192.0.2.1",
      "2001:db8:1::/48",
      "::1",
      " ::ffff:172.16.0.0/108 ",
    ]),
  });

  test.each([
    ["an untrusted peer", "8.8.8.8", "9.9.9.9", "8.8.8.8"],
    ["a trusted peer", "10.1.2.3", "9.9.9.9", "9.9.9.9"],
    ["a mapped trusted peer", "::ffff:10.1.2.3", "9.9.9.9", "9.9.9.9"],
    ["a peer of a mapped range", "172.20.0.1", "9.9.9.9", "9.9.9.9"],
    ["a peer outside the mapped range", "172.32.0.1", "9.9.9.9", "172.32.0.1"],
    ["a trusted IPv6 peer", "2001:db8:1:5::7", "9.9.9.9", "9.9.9.9"],
    ["claims left of the client", "10.0.0.1", "6.6.6.6, 7.7.7.7, 9.9.9.9", "9.9.9.9"],
    ["a chain of trusted hops", "10.0.0.1", "6.6.6.6, 9.9.9.9, 10.0.0.2,192.0.2.1", "9.9.9.9"],
    ["trusted hops only", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["a malformed last hop", "10.0.0.1", "9.9.9.9, unknown", "10.0.0.1"],
    ["a malformed hop behind a proxy", "10.0.0.1", "9.9.9.9, bad, 10.0.0.2", "10.0.0.2"],
    ["a malformed claim left of the client", "10.0.0.1", "bad, 9.9.9.9", "9.9.9.9"],
    ["an empty hop", "10.0.0.1", "9.9.9.9,,10.0.0.2", "10.0.0.2"],
    ["a trailing comma", "10.0.0.1", "9.9.9.9,", "10.0.0.1"],
    ["an empty header", "10.0.0.1", " ", "10.0.0.1"],
    ["an IPv6 client", "::1", "2001:DB8::0:9", "2001:db8::9"],
    ["a mapped client", "::1", "::ffff:9.9.9.9", "9.9.9.9"],
    ["a client with its port", "::1", "9.9.9.9:51234", "9.9.9.9"],
    ["a bracketed client", "::1", "[2001:db8::9]", "2001:db8::9"],
    ["a bracketed client with its port", "::1", "[2001:db8::9]:443", "2001:db8::9"],
    ["a client with a path", "::1", "9.9.9.9/8", "::1"],
  ])("%s", (_case, peer, header, client) => {
    expect(read(peer, forwarded(header))).toBe(client);
  });

  test("a trusted peer without the header is the client itself", () => {
    expect(read("10.0.0.1", nothing)).toBe("10.0.0.1");
  });

  test("an unknown peer stays unknown, whatever the header claims", () => {
    expect(read(undefined, forwarded("9.9.9.9"))).toBeUndefined();
  });
});

test("uses the first configured header that is present", () => {
  const headers = new Map([
    ["cf-connecting-ip", "5.5.5.5"],
    ["x-forwarded-for", "9.9.9.9"],
  ]);
  const read = createClientAddressReader({
    isTrustedProxy: compileTrustedProxies(["10.0.0.1"]),
    headers: ["x-real-ip", "cf-connecting-ip", "x-forwarded-for"],
  });
  expect(read("10.0.0.1", (name) => headers.get(name))).toBe("5.5.5.5");
});

test("a range of length 0 trusts its whole family", () => {
  const read = createClientAddressReader({ isTrustedProxy: compileTrustedProxies(["0.0.0.0/0"]) });
  expect(read("8.8.8.8", forwarded("::9"))).toBe("::9");
});

test.each([
  "",
  "proxy.internal",
  "10.0.0.0/33",
  "10.0.0.0/",
  "10.0.0.0/x",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "::/129",
  "::ffff:10.0.0.0/95",
])("rejects the trusted proxy %j at start", (entry) => {
  expect(() => compileTrustedProxies([entry])).toThrow(TypeError);
});
