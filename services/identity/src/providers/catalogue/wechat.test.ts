import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLocalProvider, type LocalProvider } from "../local-provider.fixture.ts";
import { readUser } from "../read-user.ts";
import {
  credentials,
  localOutbound,
  openLocalProviderClient,
} from "../test-provider-client.fixture.ts";

const outbound = localOutbound();
let local: LocalProvider;

beforeAll(async () => {
  local = await createLocalProvider();
});
beforeEach(() => {
  local.seen = [];
});
afterAll(async () => {
  await outbound.close();
  await local.close();
});

const openid = "oLVPpjqs9BhvzwPj5A-vTYAX3GLc";
const unionid = "o6_bmasdasdsad6_2sgvt7hmzopfl";

/** Reads the user of an account with stored tokens. WeChat returns a profile only for the app's own id of the user. */
const read = async (accountId: string, tokens: { refreshToken?: string } = {}) => {
  local.respond = ({ endpoint, parameters }) => {
    if (endpoint === "refresh") return { body: { access_token: "kept", openid } };
    return parameters["openid"] === openid
      ? { body: { openid, unionid, nickname: "安" } }
      : { body: { errcode: 40_003, errmsg: "invalid openid" } };
  };
  const client = await openLocalProviderClient({ outbound, base: local.base }, "wechat");
  const answer = { tokens: { accessToken: "kept", ...tokens }, claims: undefined, answer: {} };
  return (await readUser(client, answer, { accountId }))?.user;
};

test("reads the user of an account that is stored under another id than the app's own", async () => {
  expect(await read(unionid, { refreshToken: "refresh" })).toMatchObject({
    id: unionid,
    name: "安",
  });
  expect(local.seen[0]).toMatchObject({
    endpoint: "refresh",
    method: "GET",
    parameters: {
      appid: credentials.clientId[0],
      grant_type: "refresh_token",
      refresh_token: "refresh",
    },
  });
  expect(local.seen[0]?.headers).not.toHaveProperty("authorization");
});

test("reads the user of an account without a refresh token if its id is the app's own", async () => {
  expect(await read(openid)).toMatchObject({ name: "安" });
  expect(await read(unionid)).toBeUndefined();
  expect(local.seen.map(({ endpoint }) => endpoint)).toEqual(["userInfo", "userInfo"]);
});
