import type { Outbound } from "@latchkey/service-kit/http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalProvider, type LocalProvider } from "./local-provider.fixture.ts";
import { ProviderError } from "./provider-client.ts";
import { revokeToken } from "./revoke-token.ts";
import {
  credentials,
  localOutbound,
  openLocalProviderClient,
} from "./test-provider-client.fixture.ts";

let local: LocalProvider;
let outbound: Outbound;

beforeEach(async () => {
  local = await createLocalProvider();
  outbound = localOutbound();
});
afterEach(async () => {
  await outbound.close();
  await local.close();
});

const revoke = async (id: string, client = outbound) =>
  revokeToken(await openLocalProviderClient({ outbound: client, base: local.base }, id), {
    token: "token-to-end",
    kind: "refresh_token",
  });

test("revokes a token as the standard defines", async () => {
  local.respond = () => ({ body: "" });
  expect(await revoke("google")).toBe(true);
  expect(local.seen).toHaveLength(1);
  expect(local.seen[0]).toMatchObject({ endpoint: "revoke", method: "POST" });
  expect(local.seen[0]?.parameters).toEqual({
    token: "token-to-end",
    token_type_hint: "refresh_token",
    client_id: credentials.clientId[0],
    client_secret: credentials.clientSecret,
  });
});

test("does not call a provider without a revocation endpoint", async () => {
  expect(await revoke("github")).toBe(false);
  expect(local.seen).toEqual([]);
});

test.each([302, 400, 401, 500, 503])("treats a response of %i as a failure", async (status) => {
  local.respond = () => ({ status, body: { error: "unsupported_token_type" } });
  await expect(revoke("google")).rejects.toBeInstanceOf(ProviderError);
});

test.each([
  ["unsupported_token_type", true],
  ["invalid_request", true],
  ["invalid_client", false],
  ["temporarily_unavailable", false],
])("a 400 with %s is final: %s", async (error, isFinal) => {
  local.respond = () => ({ status: 400, body: { error } });
  await expect(revoke("google")).rejects.toMatchObject({ error, isFinal });
});

test("treats a 400 without an error code as final", async () => {
  local.respond = () => ({ status: 400, type: "text/html", body: "<p>No</p>" });
  await expect(revoke("google")).rejects.toMatchObject({ error: undefined, isFinal: true });
});

test("treats a missing response as a failure", async () => {
  local.respond = () => undefined;
  const hasty = localOutbound(100);
  await expect(revoke("google", hasty)).rejects.toBeInstanceOf(ProviderError);
  await hasty.close();
});
