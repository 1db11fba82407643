import type { Operation } from "@latchkey/contracts";
import type { TcpProxy } from "@latchkey/testkit";
import { until } from "@latchkey/testkit";
import { sendPrepared, type PreparedCall, type Got } from "./prepared-call.ts";
import { calls } from "./calls.ts";
import { backServices, observable, type World } from "./world.ts";

/** Parts that may be down, named as on the page. */
export const columns = [
  "its Postgres",
  "Redis",
  "SMTP",
  "identity",
  "organization",
  "apikey",
  "mailer",
  "webhooks",
  "stores silent",
  "services silent",
] as const;
export type Column = (typeof columns)[number];

/** The answer of each operation with each part down: a cell of the page, by the operation's name and the column. */
export type Observed = Map<string, Map<Column, string>>;

/** A set of operations that is called while some links fail. */
interface Pass {
  column: Column;
  links: readonly TcpProxy[];
  operations: readonly Operation[];
  isSilent: boolean;
  /** Whether a failed operation may have been carried out. */
  mayHaveHappened: boolean;
}

/** Three times the documented bound, because the machine runs other tests. */
const answerSecondsMax = 60;
const askedAtOnce = 8;

const refusing = (
  column: Column,
  links: readonly TcpProxy[],
  operations: readonly Operation[] = observable,
): Pass => ({ column, links, operations, isSilent: false, mayHaveHappened: false });

const passesOf = ({ links: { postgres, services, redis, smtp } }: World): Pass[] => {
  const ofOwner = (owner: string) => observable.filter((one) => one.owner === owner);
  const stores = [...Object.values(postgres), redis, smtp];
  const behind = Object.values(services);
  const open = observable.filter(({ exposure }) => exposure === "public");
  const late = { mayHaveHappened: true };
  const silent = { mayHaveHappened: true, isSilent: true };
  return [
    ...backServices.map((one) => refusing("its Postgres", [postgres[one]], ofOwner(one))),
    ...backServices.map((one) => refusing(one, [services[one]])),
    { ...refusing("Redis", [redis]), ...late },
    { ...refusing("SMTP", [smtp]), ...late },
    { ...refusing("stores silent", stores), ...silent },
    { ...refusing("services silent", behind, open), ...silent },
  ];
};

/** Processes items in order, at most `atOnce` in parallel. */
const eachOf = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
) => {
  const waiting = items.values();
  const next = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, next));
};

/** Prepared calls that are still usable, by the operation's name. */
const prepared = new WeakMap<World, Map<string, PreparedCall>>();
const preparedIn = (world: World): Map<string, PreparedCall> => {
  const callsByName = prepared.get(world) ?? new Map<string, PreparedCall>();
  prepared.set(world, callsByName);
  return callsByName;
};

const prepare = async (world: World, { name }: Operation): Promise<void> => {
  const callsByName = preparedIn(world);
  if (callsByName.has(name)) return;
  const call = await calls[name]?.(world);
  if (!call) throw new Error(`${name} has no call`);
  callsByName.set(name, call);
};

/** Discards used preparations. If connections were refused, a failed operation has changed nothing. */
const forget = (world: World, { operations, mayHaveHappened }: Pass, got: Map<string, Got>) => {
  const isSpent = ({ name, repeatable }: Operation) =>
    !repeatable && (mayHaveHappened || (got.get(name)?.status ?? 503) !== 503);
  for (const operation of operations.filter(isSpent)) preparedIn(world).delete(operation.name);
};

const pathOf = ({ location }: Got) => location && new URL(location, "http://here").pathname;

/** Returns how an answer differs from that with all parts up. */
const cellOf = (got: Got, usual: Got): string => {
  if (got.status === undefined) return "no answer";
  if (got.tookMs > answerSecondsMax * 1_000) return `${got.status}, late`;
  if (got.status === usual.status && pathOf(got) === pathOf(usual)) return "works";
  if (got.status === 302) return `302 to ${pathOf(got)}`;
  if (got.status === 503 && !got.retryAfter) return "503 without Retry-After";
  return String(got.status);
};

/** Calls all operations in parallel, except for those that remove the admins' role, which come last. */
const callAll = async (world: World, { operations, isSilent }: Pass): Promise<Map<string, Got>> => {
  const got = new Map<string, Got>();
  const callFor = ({ name }: Operation) => preparedIn(world).get(name) as PreparedCall; // prepared above
  const one = async (operation: Operation) => {
    got.set(operation.name, await sendPrepared(world, operation, callFor(operation)));
  };
  const isLast = (operation: Operation) => callFor(operation).first !== undefined;
  const many = isSilent ? operations.length : askedAtOnce;
  await eachOf(
    operations.filter((operation) => !isLast(operation)),
    many,
    one,
  );
  await eachOf(operations.filter(isLast), 1, one);
  return got;
};

const isWell = async ({ system, operator }: World): Promise<boolean> => {
  const internal = backServices.flatMap(system.internalUrlsOf);
  const ready = internal.map((url) => fetch(`${url}/health/ready`).then(({ ok }) => ok));
  const session = await operator.browser.get("/get-session");
  return session.ok && (await Promise.all(ready)).every(Boolean);
};

const observePass = async (world: World, pass: Pass): Promise<Map<string, Got>> => {
  await eachOf(pass.operations, 1, (operation) => prepare(world, operation));
  for (const link of pass.links) await (pass.isSilent ? link.drop() : link.cut());
  let got: Map<string, Got>;
  try {
    got = await callAll(world, pass);
  } finally {
    await Promise.all(pass.links.map((link) => link.heal()));
    await world.reinstate();
  }
  forget(world, pass, got);
  await until(() => isWell(world), { timeoutMs: 60_000, describe: "everything to be back" });
  return got;
};

/** Whether a cell is to be observed. */
export type IsWanted = (operation: Operation, column: Column) => boolean;

/** Calls operations with all parts up, then with each part down in turn. Throws if one fails with all parts up. */
export const observe = async (world: World, isWanted: IsWanted = () => true): Promise<Observed> => {
  const passes = passesOf(world).map((pass): Pass => {
    const operations = pass.operations.filter((operation) => isWanted(operation, pass.column));
    return Object.assign(pass, { operations });
  });
  const wanted = observable.filter(({ name }) =>
    passes.some(({ operations }) => operations.some((one) => one.name === name)),
  );
  const usual = await observePass(world, refusing("Redis", [], wanted));
  const failed = [...usual].filter(([, { status }]) => status !== 200 && status !== 302);
  if (failed.length > 0) throw new Error(`refused: ${JSON.stringify(failed)}`);
  const observed: Observed = new Map(observable.map(({ name }) => [name, new Map()]));
  for (const pass of passes.filter(({ operations }) => operations.length > 0)) {
    const got = await observePass(world, pass);
    for (const { name } of pass.operations) {
      const [answer, good] = [got.get(name), usual.get(name)];
      if (answer && good) observed.get(name)?.set(pass.column, cellOf(answer, good));
    }
  }
  return observed;
};
