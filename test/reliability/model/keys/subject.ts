import type { OperationReply, operations, Wire } from "@latchkey/contracts";
import fc from "fast-check";
import { sendRequest } from "../send-request.ts";
import type { Side, Subject } from "../check-model.ts";
import type { ModelSystem } from "../system.ts";
import { serviceHeaders } from "../../../harness/operations.ts";
import { signUpAt, staySignedIn } from "../users.ts";
import { hour, type KeyCall, type KeysState, keysTruth, type Limits } from "./truth.ts";

type ShownKey = Wire<OperationReply<typeof operations.apikey.getApiKey>>;
type Verdict = Wire<OperationReply<typeof operations.apikey.verifyApiKey>>;

const orNone = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const uses = fc.integer({ min: 1, max: 4 });
const days = fc.integer({ min: 1, max: 2 });
const limits: fc.Arbitrary<Limits> = fc.record({
  remaining: orNone(fc.integer({ min: 0, max: 4 })),
  refillAmount: orNone(uses),
  rateMax: orNone(uses),
  days: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: days }),
});

/** Picks a key by number, existing or deleted. */
const which = fc.nat(7);
const callOf = <Kind extends KeyCall["kind"], Own>(kind: Kind, own: fc.Arbitrary<Own>) =>
  fc.record({ kind: fc.constant(kind), which, own });

const picked = fc.oneof(
  { weight: 3, arbitrary: callOf("create", limits) },
  { weight: 12, arbitrary: callOf("verify", fc.constant(null)) },
  { weight: 2, arbitrary: callOf("set-remaining", uses) },
  { weight: 1, arbitrary: callOf("set-rate", uses) },
  { weight: 2, arbitrary: callOf("enable", fc.boolean()) },
  { weight: 2, arbitrary: callOf("expire", orNone(days)) },
  { weight: 1, arbitrary: callOf("delete", fc.constant(null)) },
);
type Picked = typeof picked extends fc.Arbitrary<infer One> ? One : never;

const toCall = ({ kind, own }: Picked, key: string): KeyCall => {
  if (kind === "set-remaining") return { kind, key, remaining: own };
  if (kind === "set-rate") return { kind, key, rateMax: own };
  if (kind === "enable") return { kind, key, enabled: own };
  if (kind === "expire") return { kind, key, days: own };
  return kind === "create" ? { kind, key, limits: own } : { kind, key };
};

const secondsOf = (count: number | null): number | null => (count === null ? null : count * 86_400);

const bodyOf = ({ remaining, refillAmount, rateMax, days: lifetime }: Limits) => ({
  remaining,
  ...(refillAmount === null ? {} : { refillAmount, refillInterval: 1 }),
  rateLimitEnabled: rateMax !== null,
  rateLimitTimeWindow: hour,
  ...(rateMax === null ? {} : { rateLimitMax: rateMax }),
  expiresIn: secondsOf(lifetime),
});

const verdictOf = ({ valid, error, key }: Verdict): string =>
  valid ? `valid ${key?.remaining} ${key?.requestCount}` : String(error?.code);

const open = async (system: ModelSystem): Promise<Side<Picked, KeyCall>> => {
  const owner = await signUpAt(system);
  /** Id and text of the created keys. */
  const made = new Map<string, { id: string; text: string }>();
  const inside = <Body>(replica: number, path: string, body: object) =>
    sendRequest<Body>(
      `${system.urlOf("apikey", replica)}/internal/api-key${path}`,
      serviceHeaders,
      body,
    );
  const outside = <Body>(replica: number, path: string, body?: object) =>
    sendRequest<Body>(`${system.gateways[replica]}/api-key${path}`, { cookie: owner.cookie }, body);

  const create = async (name: string, own: Limits, replica: number): Promise<string> => {
    const body = { userId: owner.id, name, ...bodyOf(own) };
    const answer = await inside<ShownKey & { key: string }>(replica, "/create", body);
    if (answer.said === "200") made.set(name, { id: answer.body.id, text: answer.body.key });
    return answer.said;
  };
  const send = async (call: KeyCall, replica: number): Promise<string> => {
    if (call.kind === "create") return create(call.key, call.limits, replica);
    const { id: keyId, text: key } = made.get(call.key) ?? { id: "", text: "" };
    const byService = { keyId, userId: owner.id };
    switch (call.kind) {
      case "verify": {
        const { said, body } = await inside<Verdict>(replica, "/verify", { key });
        return `${said} ${verdictOf(body)}`;
      }
      case "set-remaining": {
        const { remaining } = call;
        return (await inside(replica, "/update", { ...byService, remaining })).said;
      }
      case "set-rate": {
        const rate = { rateLimitEnabled: true, rateLimitMax: call.rateMax };
        return (await inside(replica, "/update", { ...byService, ...rate })).said;
      }
      case "enable":
        return (await outside(replica, "/update", { keyId, enabled: call.enabled })).said;
      case "expire":
        // The service created the key, so its owner cannot change the lifetime.
        return (await inside(replica, "/update", { ...byService, expiresIn: secondsOf(call.days) }))
          .said;
      default:
        return (await outside(replica, "/delete", { keyId })).said;
    }
  };
  let lookCount = 0;
  return {
    name: (one, id) => {
      if (one.kind === "create") return toCall(one, `k${id}`);
      const names = [...made.keys()];
      const name = names.at(-1 - (one.which % Math.max(names.length, 1)));
      return name === undefined ? undefined : toCall(one, name);
    },
    send,
    stay: () => staySignedIn(system, owner),
    look: async () => {
      const { body } = await outside<ShownKey[]>((lookCount += 1) % 2, "/list");
      const shown = body.map(({ name, enabled, remaining, requestCount, expiresAt }) => [
        String(name),
        { enabled, remaining, requestCount, expires: expiresAt !== null },
      ]);
      return { now: Object.fromEntries(shown) as unknown };
    },
  };
};

/** The uses that keys allow under their limits. */
export const keys: Subject<KeysState, Picked, KeyCall> = {
  name: "the limits of keys",
  truth: keysTruth,
  start: () => ({ now: 0, keys: {} }),
  picked,
  atOnceMax: 6,
  view: (state) => ({
    now: Object.fromEntries(
      Object.entries(state.keys).map(
        ([name, { enabled, remaining, requestCount, expiresAt }]) =>
          [name, { enabled, remaining, requestCount, expires: expiresAt !== null }] as const,
      ),
    ),
  }),
  open,
};
