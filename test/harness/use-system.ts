import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { ProcessOptions, SystemOptions } from "./configure-system.ts";
import { openRows, type Rows } from "./rows.ts";
import { type ProcessSystem, startSystem, type System } from "./start-system.ts";
import { signUp, signUpAs, type TestUser } from "./users.ts";

/** A system for the tests of a file or of a `describe`. The members that a test reads are set up before its first test. */
export interface SystemFixture<Started extends System> {
  system: Started;
  /** The rows of its database. */
  readonly rows: Rows;
  /** A user with the role `admin`. */
  readonly admin: TestUser;
  /** A user without a role. */
  readonly user: TestUser;
}

type Options = SystemOptions | ProcessOptions;
type Later<T> = T | (() => T | Promise<T>);

/** Returns an object that has the members of another one once the tests start. */
const fill = <T extends object>(create: () => T | Promise<T>): T => {
  const filled: Partial<T> = {};
  beforeAll(async () => {
    Object.assign(filled, await create());
  });
  return filled as T;
};

/**
 * Starts a system before the tests and stops it after them. Take what the tests need: `const { system, rows, admin } = useSystem(...)`.
 * The members of these objects exist when the tests start, not while they are collected. Options that depend on what other hooks
 * start are given as a function.
 */
export function useSystem(options: Later<ProcessOptions>): SystemFixture<ProcessSystem>;
export function useSystem(options: Later<SystemOptions>): SystemFixture<System>;
export function useSystem(options: Later<Options>): SystemFixture<System> {
  const start = async () =>
    startSystem((typeof options === "function" ? await options() : options) as SystemOptions);
  const system = fill<System>(start);
  // A system that did not start has no member.
  afterAll(() => (system as Partial<System>).stop?.());
  return {
    system,
    get rows() {
      const rows = fill(() => openRows(system));
      afterAll(() => (rows as Partial<Rows>).close?.());
      return rows;
    },
    get admin() {
      return fill(() => signUpAs(system, "admin"));
    },
    get user() {
      return fill(() => signUp(system));
    },
  };
}

/**
 * Creates what tests share before the first of them, and again before each one that follows a change. `look` returns what must not
 * have changed, such as a hash of tables. It costs far less than users and their possessions for each test.
 */
export const renewAfterChange = (
  look: () => Promise<unknown>,
  create: () => Promise<unknown>,
): void => {
  let created: unknown;
  beforeEach(async () => {
    if (created !== undefined && isDeepStrictEqual(await look(), created)) return;
    await create();
    created = await look();
  });
};
