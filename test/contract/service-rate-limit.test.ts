import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { callingService, serviceConfig } from "../harness/operations.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail } from "../harness/users.ts";

expectNoLeaks("file");

const token = serviceConfig.serviceTokens[callingService];
const rateLimit = { enabled: true, max: 2, services: { max: 4 } };

const { system } = useSystem({
  stores: "postgres",
  replicas: 1,
  config: { ...serviceConfig, rateLimit },
});

const statuses = async (count: number, headers: Record<string, string>): Promise<number[]> => {
  const browser = createBrowserLike(system.url);
  const all: number[] = [];
  for (let sent = 0; sent < count; sent += 1)
    all.push((await browser.get("/get-session", headers)).status);
  return all;
};

test("a server with a service token is counted apart from its address, by a limit of its own", async () => {
  expect(await statuses(5, { "x-service-token": token })).toEqual([200, 200, 200, 200, 429]);
  expect(await statuses(3, { "x-service-token": "a guessed token" })).toEqual([200, 200, 429]);
});

/** Attack: guessing passwords with the token of a service. */
test("a service token lifts no limit of a sign-in", async () => {
  const browser = createBrowserLike(system.url);
  const guess = () =>
    browser.post(
      "/sign-in/email",
      { email: newEmail(), password: "a guess of an attacker" },
      { "x-service-token": token },
    );
  const answers = [await guess(), await guess(), await guess(), await guess()];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
});
