import { createSecretRing, hashToken, totpCode, totpStep } from "@latchkey/crypto";
import { Client } from "pg";
import { storedAppSecret } from "../../../services/identity/src/second-factor/authenticator-app.ts";
import { waitingRequest } from "./requests.ts";
import { seededCount } from "./seed.ts";
import { seededId, seededIdSql } from "./seeded-id.ts";
import { benchSecret } from "./stack-settings.ts";

const form = { digits: 6, period: 30 };
const appSecret = Buffer.from("a secret of every app");
/** More than a run can pass. */
const waitingCount = 60_000;

const valueOf = (count: number): string => `waiting${count}`.padEnd(32, "x");
const userOf = (count: number): number => 1 + (count % seededCount);

const seedApps = `
insert into identity.two_factor (user_id, secret_sealed, sealed_by, enabled_at)
select ${seededIdSql("user", "n")}, sealed, sealed_by, now()
from unnest($1::text[], $2::text[]) with ordinality as apps (sealed, sealed_by, n)`;

const seedWaiting = `
insert into identity.sign_in_challenge (token_hash, user_id, purpose, method, remember, created_at, expires_at)
select hash, user_id, 'verify', 'password', true, now(), now() + interval '1 hour'
from unnest($1::bytea[], $2::text[]) as waiting (hash, user_id)`;

/** Gives every seeded user an authenticator app, and many of them several sign-ins that wait for it. */
export const seedTotp = async (databaseUrl: string): Promise<void> => {
  const ring = createSecretRing([benchSecret]);
  const apps = Array.from({ length: seededCount }, (_, index) =>
    storedAppSecret(ring, seededId("user", index + 1), appSecret),
  );
  const waiting = Array.from({ length: waitingCount }, (_, count) => count);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`update identity."user" set two_factor_enabled = true`);
    await client.query(seedApps, [
      apps.map(({ secretSealed }) => secretSealed),
      apps.map(({ sealedBy }) => sealedBy),
    ]);
    await client.query(seedWaiting, [
      waiting.map((count) => hashToken(valueOf(count))),
      waiting.map((count) => seededId("user", userOf(count))),
    ]);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
};

/** Generates verifications of the second factor, each in another sign-in. A user's codes are of growing time steps, as each works once. */
export const totpRequests = (): (() => Buffer) => {
  const lastSteps = new Map<number, number>();
  let count = 0;
  return () => {
    if (count >= waitingCount) throw new Error("every seeded sign-in is finished");
    const user = userOf(count);
    const present = totpStep(Date.now(), form);
    // The code of the step before would expire while the request is under way.
    const step = Math.max(present, (lastSteps.get(user) ?? -1) + 1);
    if (step > present + 1) throw new Error("every code of this time is used");
    lastSteps.set(user, step);
    const body = { code: totpCode(appSecret, step, form) };
    const request = waitingRequest(valueOf(count), { path: "/two-factor/verify-totp", body });
    count += 1;
    return request;
  };
};
