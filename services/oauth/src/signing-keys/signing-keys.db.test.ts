import { createSecretRing } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, testSecret } from "@latchkey/testkit";
import { beforeEach, expect, test } from "vitest";
import { openOauthDatabase } from "../engine/engine.fixture.ts";
import {
  handoverMilliseconds,
  loadSigningKeys,
  rotateSigningKeys,
  sweepSigningKeys,
} from "./signing-keys.ts";

expectNoLeaks("file");

const gracePeriod = 3_600;

const { db } = await openOauthDatabase(16);
beforeEach(() => db.deleteFrom("signingKey").execute());

const open = (jwks: object = {}) => {
  const clock = createTestClock();
  const config = { jwks: { gracePeriod, rotationInterval: undefined, ...jwks } };
  const needs = { db, ring: createSecretRing([testSecret]), clock: clock.now, config };
  const idsOf = async (alg: string) =>
    (await loadSigningKeys(needs)).filter((key) => key.alg === alg).map(({ kid }) => kid);
  return { needs, clock, idsOf };
};
const actor = { kind: "system" } as const;

test("creates one key of each algorithm, however many replicas start at once", async () => {
  const { needs } = open();
  const loaded = await Promise.all(Array.from({ length: 16 }, () => loadSigningKeys(needs)));
  expect(loaded[0]?.map(({ alg }) => alg).toSorted()).toEqual(["ES256", "EdDSA", "RS256"]);
  expect(new Set(loaded.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1);
});

test("publishes a new key before it signs, and the former one for the grace period", async () => {
  const { needs, clock, idsOf } = open();
  const [first] = await idsOf("RS256");
  clock.advance(1_000);
  await rotateSigningKeys(needs, { actor });
  const [signing, next] = await idsOf("RS256");
  expect([signing, next === undefined]).toEqual([first, false]);
  clock.advance(handoverMilliseconds);
  expect(await idsOf("RS256")).toEqual([next, first]);
  clock.advance(gracePeriod * 1_000 - 1);
  await sweepSigningKeys(needs);
  expect(await idsOf("RS256")).toEqual([next, first]);
  clock.advance(1);
  expect(await idsOf("RS256")).toEqual([next]);
  await sweepSigningKeys(needs);
  const remaining = await needs.db.selectFrom("signingKey").select("id").execute();
  expect(remaining).toHaveLength(3);
});

test("replaces keys by itself once they are as old as the option says", async () => {
  const { clock, idsOf } = open({ rotationInterval: 600 });
  const [first] = await idsOf("ES256");
  clock.advance(599_999);
  expect(await idsOf("ES256")).toEqual([first]);
  clock.advance(1);
  expect((await idsOf("ES256"))[0]).toBe(first);
  expect(await idsOf("ES256")).toHaveLength(2);
});
