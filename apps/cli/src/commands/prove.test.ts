import { afterEach, expect, test, vi } from "vitest";
import { readProveRequest } from "./prove.ts";
import { UsageError } from "./usage-error.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const url = ["--url", "https://auth.example.com"];

test("needs only a URL", () => {
  expect(readProveRequest(url)).toEqual({
    urls: [new URL("https://auth.example.com")],
    email: undefined,
    isPiped: false,
    isJson: false,
    keys: undefined,
    receiver: undefined,
    domain: "example.com",
    only: [],
    measure: { callers: 16, samples: 60, fill: 32 },
  });
});

test("accepts several replicas and classes", () => {
  const second = ["--url", "http://10.0.0.2:3000/auth"];
  const { urls, only } = readProveRequest([
    ...url,
    ...second,
    "--only",
    "once",
    "--only",
    "tenants",
  ]);
  expect(urls.map(({ href }) => href)).toEqual([
    "https://auth.example.com/",
    "http://10.0.0.2:3000/auth",
  ]);
  expect(only).toEqual(["once", "tenants"]);
});

test("reads the service token from the environment, which other users cannot read", () => {
  vi.stubEnv("LATCHKEY_SERVICE_TOKEN", "a token");
  expect(readProveRequest([...url, "--apikey-url", "http://10.0.0.3:3003"]).keys).toEqual({
    urls: [new URL("http://10.0.0.3:3003")],
    token: "a token",
  });
});

test("accepts the address and the port by which webhooks reach it", () => {
  const args = ["--receiver-url", "https://hooks.example.com/prove", "--receiver-port", "8090"];
  expect(readProveRequest([...url, ...args]).receiver).toEqual({
    url: new URL("https://hooks.example.com/prove"),
    port: 8090,
  });
});

test.each([
  [[], "--url is required"],
  [["--url", "ftp://example.com"], "--url must be an address"],
  [["--url", "https://ada:secret@example.com"], "--url must be an address"],
  [[...url, "--only", "all"], "--only must be one of once, counters"],
  [[...url, "--callers", "1"], "--callers must be a number from 8 to 64"],
  [[...url, "--samples", "-1"], "--samples"],
  [[...url, "--domain", "not a domain"], "--domain must be a domain"],
  [[...url, "--admin-email", "ops"], "--admin-email must be an email address"],
  [[...url, "--apikey-url", "http://10.0.0.3:3003"], "LATCHKEY_SERVICE_TOKEN"],
  [[...url, "--receiver-port", "8090"], "--receiver-url and --receiver-port"],
  [[...url, "--receiver-url", "https://a.example.com", "--receiver-port", "0"], "--receiver-port"],
  [[...url, "--admin-password", "secret"], "Unknown option '--admin-password'"],
])("%j is rejected", (args, told) => {
  vi.stubEnv("LATCHKEY_SERVICE_TOKEN", "");
  const read = () => readProveRequest(args);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(told);
});
