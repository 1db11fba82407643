import {
  type CreationOptions,
  createSoftwareAuthenticator,
  type RequestOptions,
  type SoftwareAuthenticator,
} from "@latchkey/testkit";
import { connectKeepAlive, type KeepAliveClient } from "./keep-alive-client.ts";
import type { Run } from "./load.ts";
import { ceremonyRequest, type SessionRequest } from "./requests.ts";
import { passkeyOrigin } from "./stack-settings.ts";

const connections = 16;

const exchange = async (
  client: KeepAliveClient,
  browser: string,
  { request, index }: { request: SessionRequest; index?: number },
): Promise<unknown> => {
  const { status, body } = await client.send(ceremonyRequest(browser, request, index));
  const text = body.toString();
  if (status !== 200) throw new Error(`unexpected answer ${status}: ${text}`);
  return JSON.parse(text);
};

const browserOf = (number: number): string => `bench${number}`.padEnd(32, "x");

/** Registers a passkey of its own for one seeded user, in the user's session. */
const register = async (client: KeepAliveClient, index: number): Promise<SoftwareAuthenticator> => {
  const authenticator = createSoftwareAuthenticator({ origin: passkeyOrigin, isSynced: true });
  const browser = browserOf(index);
  const path = "/passkey/generate-register-options";
  const options = await exchange(client, browser, { request: { path }, index });
  const response = authenticator.create(options as CreationOptions);
  const request = { path: "/passkey/verify-registration", body: { response } };
  await exchange(client, browser, { request, index });
  return authenticator;
};

const signIn = async (
  client: KeepAliveClient,
  browser: string,
  authenticator: SoftwareAuthenticator,
): Promise<void> => {
  const path = "/passkey/generate-authenticate-options";
  const options = await exchange(client, browser, { request: { path } });
  const response = authenticator.get(options as RequestOptions);
  const request = { path: "/passkey/verify-authentication", body: { response } };
  await exchange(client, browser, { request });
};

/** Registers a passkey for one user of each connection. Returns a load of sign-ins by them: options, signature and verification each. */
export const openPasskeyLoad = async (url: string): Promise<(seconds: number) => Promise<Run>> => {
  const clients = () =>
    Promise.all(Array.from({ length: connections }, () => connectKeepAlive(new URL(url))));
  const registering = await clients();
  const authenticators = await Promise.all(
    registering.map((client, index) => register(client, index + 1)),
  );
  for (const client of registering) client.close();
  return async (seconds) => {
    const open = await clients();
    const latencies: number[] = [];
    const begun = performance.now();
    const until = begun + seconds * 1000;
    const drive = async (authenticator: SoftwareAuthenticator, index: number) => {
      const client = open[index] as KeepAliveClient; // one for each authenticator
      for (let now = performance.now(); now < until;) {
        const started = now;
        await signIn(client, browserOf(index + 1), authenticator);
        now = performance.now();
        latencies.push(now - started);
      }
    };
    try {
      await Promise.all(authenticators.map(drive));
      return { count: latencies.length, seconds: (performance.now() - begun) / 1000, latencies };
    } finally {
      for (const client of open) client.close();
    }
  };
};
