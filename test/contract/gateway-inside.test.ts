import { allOperations, type Operation, serviceNames } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { signCaller, type UnsignedCaller } from "@latchkey/service-kit/http";
import { until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { firstOfKind, representatives } from "../harness/matrix.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { type RawResponse, sendRaw } from "../harness/send-raw.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

const serviceToken = "the token of a service of the application";

const { system } = useSystem({
  stores: "postgres",
  config: {
    logger: { level: "silent" },
    serviceTokens: { reports: serviceToken },
    oauthProvider: { enabled: true, allowDynamicClientRegistration: true },
  },
});

const owned = allOperations.filter(
  ({ exposure, owner }) => exposure === "public" && owner !== "gateway",
);
const lifetimeMs = 30_000;

const callInside = (
  { owner, exposure, method, path }: Operation,
  signature: string | undefined,
  headers: Record<string, string> = {},
): Promise<RawResponse> =>
  sendRaw(system.urlOf(owner), {
    method,
    target: exposure === "internal" ? `/internal${path}` : path,
    headers: { ...headers, ...(signature === undefined ? {} : { "x-latchkey-caller": signature }) },
  });

const callerOf = (operation: string, service?: string): UnsignedCaller => ({
  requestId: "test",
  operation,
  baseUrl: "http://localhost/api/auth",
  address: "127.0.0.1",
  userAgent: "",
  ...(service === undefined ? {} : { service }),
});
const sign = (operation: string, now = Date.now(), secret = testSecret) =>
  signCaller(createSecretRing([secret]), callerOf(operation), now);
/** Signs like a service of the system that calls without a user. */
const signAs = (service: string, operation: string, now = Date.now(), secret = testSecret) =>
  signCaller(createSecretRing([secret]), callerOf(operation, service), now);
const claim = (value: object) => JSON.stringify(value);

/** Credentials that do not act as a user at any operation. */
const refusedOutside = ({
  name,
}: Operation): [who: string, signature: string | undefined, authorization?: string][] => {
  const other = owned.find((operation) => operation.name !== name)?.name ?? "";
  const forever = claim({ ...callerOf(name), expiresAt: Date.now() + 86_400_000 });
  return [
    ["nobody", undefined],
    ["one meant for another operation", sign(other)],
    ["an empty signature", ""],
    ["junk", "junk"],
    ["a claim without a signature", forever],
    ["a claim with an empty signature", `${forever}.`],
    ["a claim with the signature of another", `${forever}.${sign(name).split(".").at(-1)}`],
    ["one that another secret signed", sign(name, Date.now(), "another secret of enough length")],
    ["one that has expired", sign(name, Date.now() - lifetimeMs)],
    ["one meant for no operation", sign("")],
    ["a service of the application", undefined, `Bearer ${serviceToken}`],
  ];
};
type Refused = ReturnType<typeof refusedOutside>;

/** One function of a service checks credentials for all operations, so one operation of each service and method meets all of them. */
const withKind = (those: readonly Operation[]) => {
  const isFirst = firstOfKind(({ owner, method }: Operation) => `${owner} ${method}`);
  return those.map((operation) => ({ operation, meetsAll: isFirst(operation) }));
};
const few = new Set(["nobody", "one meant for another operation"]);
const someOf = (refused: Refused, meetsAll: boolean) =>
  representatives(refused, ([who]) => meetsAll || few.has(who));

const expectRefused = async (operation: Operation, refused: readonly Refused[number][]) => {
  const answers = await Promise.all(
    refused.map(async ([who, signature, authorization]) => {
      const headers = authorization === undefined ? undefined : { authorization };
      const { status, text, cookies } = await callInside(operation, signature, headers);
      return [who, status, text, cookies];
    }),
  );
  const forbidden = JSON.stringify({ code: "FORBIDDEN", message: "Forbidden" });
  expect(answers).toEqual(refused.map(([who]) => [who, 403, forbidden, []]));
};

/** Reaching an internal port must not suffice to act as a user. */
test.each(withKind(owned))(
  "$operation.name at its owner's own port accepts only a caller signed by the gateway",
  async ({ operation, meetsAll }) => {
    await expectRefused(operation, someOf(refusedOutside(operation), meetsAll));
    expect((await callInside(operation, sign(operation.name))).status).not.toBe(403);
  },
);

const internal = allOperations.filter(({ exposure }) => exposure === "internal");

/** Credentials that open no internal operation: a `signature` of the system, or an `authorization` of the application. */
const refusedInside = ({ name }: Operation): [string, string | undefined, string?][] => {
  const other = internal.find((operation) => operation.name !== name)?.name ?? "";
  const claimed = claim({ ...callerOf(name, "gateway"), expiresAt: Date.now() + 86_400_000 });
  return [
    ["nobody", undefined],
    ["an empty token", undefined, "Bearer "],
    ["a wrong token", undefined, "Bearer another token of enough length"],
    ["more than a token", undefined, `Bearer ${serviceToken}1`],
    ["less than a token", undefined, `Bearer ${serviceToken.slice(0, -1)}`],
    ["the name of a service with a token", undefined, "Bearer reports"],
    ["the name of a service of the system", undefined, "Bearer identity"],
    ["name and token as they are configured", undefined, `Bearer reports:${serviceToken}`],
    ["a token under another scheme", undefined, `Basic ${serviceToken}`],
    ["the secret itself", undefined, `Bearer ${testSecret}`],
    ["a signature as token", undefined, `Bearer ${signAs("gateway", name)}`],
    ["a token as signature", serviceToken],
    ["whom the gateway vouches for, who is no service", sign(name)],
    ["a claim without a signature", claimed],
    [
      "a claim with the signature of another",
      `${claimed}.${signAs("gateway", name).split(".").at(-1)}`,
    ],
    [
      "one that another secret signed",
      signAs("gateway", name, Date.now(), "another secret of enough length"),
    ],
    ["one that has expired", signAs("gateway", name, Date.now() - lifetimeMs)],
    ["one meant for another operation", signAs("gateway", other)],
  ];
};

test.each(withKind(internal))(
  "$operation.name at its owner's own port accepts only a service of the system, and one with a token",
  async ({ operation, meetsAll }) => {
    await expectRefused(operation, someOf(refusedInside(operation), meetsAll));
    const authorization = `Bearer ${serviceToken}`;
    expect((await callInside(operation, signAs("gateway", operation.name))).status).not.toBe(403);
    expect((await callInside(operation, undefined, { authorization })).status).not.toBe(403);
  },
);

/** Written by the services themselves, some time after the rows that they derive from. */
const derived = [
  "audit_seal",
  "audit_checkpoint",
  "daily_count",
  "daily_method_count",
  "daily_refusal_count",
  "active_user",
  "outbox",
  "inbox",
];

/** Returns all rows that a request can create, as text. */
const readRows = async (rows: Rows): Promise<string[]> => {
  const tables = await rows.query(
    `select schemaname || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname = any($1) and tablename <> all($2) order by 1`,
    serviceNames,
    derived,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const contents = await rows.query(
      `select t::text as text from ${String(name)} as t order by 1`,
    );
    texts.push(...contents.map(({ text }) => `${String(name)} ${String(text)}`));
  }
  return texts;
};

test("rejected requests change nothing", async () => {
  const rows = openRows(system);
  const { user } = await signUp(system);
  const bodies: Record<string, object> = {
    "/admin/set-role": { userId: user.id, role: "admin" },
    "/admin/create-user": { email: "eve@example.com", name: "Eve", password: "correct horse" },
    "/set-password": { userId: user.id, newPassword: "another horse" },
    "/organization/create": { userId: user.id, name: "Eve's", slug: "eves" },
    "/api-key/create": { userId: user.id },
  };
  const tried = internal.filter(({ path }) => Object.hasOwn(bodies, path));
  expect(tried).toHaveLength(Object.keys(bodies).length);
  const send = ({ owner, path }: Operation, headers: Record<string, string>) =>
    fetch(`${system.urlOf(owner)}/internal${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(bodies[path]),
    });
  let before = await readRows(rows);
  // Soon after its answer, the sign-up is recorded as the last sign-in, and its events for applications follow.
  await until(async () => {
    const earlier = before;
    before = await readRows(rows);
    const isRecorded = before.join().includes("identity.last_sign_in");
    const isTold = before.some((row) => /^webhooks\.event .*session\.created/.test(row));
    return isRecorded && isTold && earlier.join() === before.join();
  });
  for (const operation of tried)
    for (const [, signature, authorization] of refusedInside(operation)) {
      const headers = {
        ...(signature === undefined ? {} : { "x-latchkey-caller": signature }),
        ...(authorization === undefined ? {} : { authorization }),
      };
      expect((await send(operation, headers)).status).toBe(403);
    }
  expect(await readRows(rows)).toEqual(before);
  for (const operation of tried) {
    const { status } = await send(operation, { authorization: `Bearer ${serviceToken}` });
    // A signed-up user has a password already.
    expect([operation.path, status]).toEqual([
      operation.path,
      operation.path === "/set-password" ? 400 : 200,
    ]);
  }
  expect(await readRows(rows)).not.toEqual(before);
  await rows.close();
});

describe.each(["identity", "organization", "apikey", "mailer", "webhooks", "oauth"] as const)(
  "the port of %s",
  (service) => {
    const status = async (path: string) => (await fetch(`${system.urlOf(service)}${path}`)).status;

    test("serves only health and metrics without credentials", async () => {
      for (const path of ["/health/live", "/health/serving", "/health/ready", "/metrics"])
        expect([path, await status(path)]).toEqual([path, 200]);
      for (const path of ["/", "/health", "/internal", "/internal/", "/admin", "/openapi.json"])
        expect([path, await status(path)]).toEqual([path, 404]);
    });
  },
);
