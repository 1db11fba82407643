import { describe, expect, test } from "vitest";
import type { Answer, RawRequest } from "./http/connections.ts";
import type { GatewayClient } from "./http/gateway-client.ts";
import { signInAdmin } from "./sign-in-admin.ts";

const admin = { email: "ops@example.com", password: "the password of an operator" };

/** A gateway that asks for the second factor and takes any code. */
const createGateway = () => {
  const sent: Pick<RawRequest, "body" | "target">[] = [];
  const send = async (_replica: number, { target, body = "" }: RawRequest): Promise<Answer> => {
    sent.push({ target, body });
    const challenge = { twoFactorRedirect: true, twoFactorMethods: ["totp"] };
    return {
      status: 200,
      headers: {},
      cookies: [],
      text: "",
      body: target.startsWith("/sign-in") ? challenge : { token: "a token" },
      sentAt: 0,
      answeredAt: 0,
    };
  };
  const gateway: GatewayClient = {
    replicas: [],
    basePath: "",
    origin: "http://localhost",
    believesAddresses: false,
    send,
    warm: async () => {},
    close: () => {},
  };
  return { gateway, sent };
};

const { signal } = new AbortController();

describe("an admin with a second factor", () => {
  test.each([
    ["123456", "/two-factor/verify-totp"],
    ["abcde-fghij", "/two-factor/verify-backup-code"],
  ])("enters the code %s", async (code, path) => {
    const { gateway, sent } = createGateway();
    await signInAdmin(gateway, { ...admin, code }, signal);
    expect(sent).toEqual([
      { target: "/sign-in/email", body: JSON.stringify(admin) },
      { target: path, body: JSON.stringify({ code }) },
    ]);
  });

  test("is told how to give the code", async () => {
    const { gateway } = createGateway();
    await expect(signInAdmin(gateway, admin, signal)).rejects.toThrow("set LATCHKEY_ADMIN_CODE");
  });
});
