import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { useSystem } from "../harness/use-system.ts";
import { type GatewayOptions, withGateway } from "../harness/start-gateway.ts";

/** An app that rewrites its requests to Latchkey, with the headers that Next.js sends. */
interface RewritingApp {
  origin: string;
  /** Origin of the Latchkey to which it rewrites. */
  target: string;
  stop(): Promise<void>;
}

const startRewritingApp = async (): Promise<RewritingApp> => {
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: new URL(app.target).host,
      "x-forwarded-host": incoming.headers.host,
      "x-forwarded-port": String(incoming.socket.localPort),
      "x-forwarded-proto": "http",
      "x-forwarded-for": incoming.socket.remoteAddress,
    };
    const rewritten = send(app.target + incoming.url, { method: incoming.method, headers });
    rewritten.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    rewritten.on("error", () => outgoing.destroy());
    incoming.pipe(rewritten);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const app: RewritingApp = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: "",
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return app;
};

let app: RewritingApp;
const { system } = useSystem(async () => {
  app = await startRewritingApp();
  return {
    stores: "postgres",
    config: { emailVerification: { sendOnSignUp: true } },
  };
});
afterAll(async () => {
  await app.stop();
});

let email = "";
let count = 0;
beforeEach(() => {
  email = `rewritten-${++count}@example.com`;
});

/** Signs up and changes the name in one browser, through the app. */
const signUpAndGoOn = async (options: GatewayOptions, callbackURL: string) => {
  const browser = createBrowserLike(`${app.origin}/api/auth`);
  const answers: Response[] = [];
  await withGateway(system, options, async (latchkey) => {
    app.target = latchkey;
    const person = { name: "Ada", email, password: "correct horse battery", callbackURL };
    answers.push(await browser.post("/sign-up/email", person));
    answers.push(await browser.post("/update-user", { name: "Ada L" }));
    answers.push(await browser.get("/get-session"));
    answers.push(await browser.post("/sign-out"));
  });
  return { answers, statuses: answers.map(({ status }) => status) };
};

test("a sign-up without cookies works, and the rejection of the next POST names the option to set", async () => {
  const { answers, statuses } = await signUpAndGoOn({}, "/welcome");
  expect(statuses).toEqual([200, 403, 200, 403]);
  expect(await answers[1]?.json()).toEqual({
    code: "INVALID_ORIGIN",
    message: "Invalid origin",
    hint: `${app.origin} is not a trusted origin. Add it to TRUSTED_ORIGINS, or set BASE_URL to it if clients reach Latchkey there.`,
  });
});

test.each<[string, (origin: string) => Record<string, string>, boolean]>([
  ["TRUSTED_ORIGINS", (origin) => ({ TRUSTED_ORIGINS: origin }), false],
  ["APP_URL", (origin) => ({ APP_URL: origin }), false],
  ["BASE_URL", (origin) => ({ BASE_URL: origin }), true],
  ["TRUSTED_PROXIES", () => ({ TRUSTED_PROXIES: "127.0.0.1" }), true],
])("with %s every request through the app works", async (_name, environmentFor, mailsApp) => {
  const environment = environmentFor(app.origin);
  const { answers, statuses } = await signUpAndGoOn({ environment }, `${app.origin}/welcome`);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(await answers[2]?.json()).toMatchObject({ user: { email, name: "Ada L" } });
  const { links } = await system.smtp.waitForMail(email);
  const link = links.find((url) => url.includes("/verify-email?"));
  expect(link?.startsWith(`${app.origin}/api/auth/`)).toBe(mailsApp);
});
