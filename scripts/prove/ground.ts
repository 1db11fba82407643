import { randomInt } from "node:crypto";
import { operations } from "@latchkey/contracts";
import { done } from "./done.ts";
import { type Browser, createBrowser } from "./http/browser.ts";
import type { Answer } from "./http/connections.ts";
import type { Door } from "./http/door.ts";
import type { KeyService } from "./key-service.ts";
import { NotProven } from "./not-proven.ts";

/** How much is done. */
export interface Measure {
  /** Requests at once. */
  callers: number;
  /** Samples of each kind for a comparison of times; 0 leaves times out. */
  samples: number;
  /** Rows that may be made to come up to a limit. */
  fill: number;
}

/** Somebody whom the run has made. */
export interface Account {
  id: string;
  email: string;
  password: string;
}

/** The same, signed in. */
export interface Person extends Account {
  browser: Browser;
  token: string;
}

/** What checks stand on. */
export interface Ground {
  measure: Measure;
  door: Door;
  signal: AbortSignal;
  /** What each name that the run makes begins with. */
  tag: string;
  /** Somebody new to the deployment, without a session. */
  anybody(): Browser;
  /** A name that nobody has yet. */
  newName(): string;
  emailOf(name: string): string;
  password: string;
  /** Throws `NotProven` without one. */
  admin(): Browser;
  /** An option as it counts in the deployment. Throws `NotProven` where nobody may read it. */
  option(name: string): unknown;
  /** The ids of the providers of sign-in. Throws the same. */
  providers(): string[];
  createUser(own?: object): Promise<Account>;
  signIn(account: Account): Promise<Person>;
  /** Makes somebody and signs them in. */
  newPerson(own?: object): Promise<Person>;
  /** Three people whom all checks share: two with tenants of their own, and a member. They end as they began. */
  people(): Promise<Readonly<Record<"ada" | "bob" | "mia", Person>>>;
  /** Where keys are verified. Throws `NotProven` where that was not said. */
  keys(): KeyService;
  /** Sends to each of some callers at once, over connections that are there. */
  race<Body>(ask: (index: number) => Promise<Answer<Body>>): Promise<Answer<Body>[]>;
}

export interface GroundOptions {
  measure: Measure;
  door: Door;
  signal: AbortSignal;
  domain: string;
  tag: string;
  admin: Browser | undefined;
  options: ReadonlyMap<string, unknown> | undefined;
  keys: KeyService | undefined;
}

const { identity } = operations;
const providerOption = /^socialProviders\.([^.]+)\.clientId$/;

/** Of a strength that no rule of an application refuses; the same for all, who live for minutes. */
const makePassword = (): string =>
  `Prove-${Array.from({ length: 6 }, () => randomInt(1e4, 1e5)).join("-")}`;

const lazily = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

export const createGround = (given: GroundOptions): Ground => {
  const { door, signal, tag, domain, measure } = given;
  const password = makePassword();
  let count = 0;
  const newName = () => `${tag}-${(count += 1)}`;
  const emailOf = (name: string) => `${name}@${domain}`;
  const anybody = () => createBrowser({ door, signal });
  const admin = () => {
    if (!given.admin) throw new NotProven("an admin: --admin-email");
    return given.admin;
  };

  const options = () => {
    admin();
    if (!given.options) throw new NotProven("an admin who may read settings (settings: read)");
    return given.options;
  };

  const createUser = async (own: object = {}): Promise<Account> => {
    const name = newName();
    const body = { name, email: emailOf(name), password, data: { emailVerified: true }, ...own };
    const { user } = await done(admin().ask(identity.adminCreateUser, { body }), "a user");
    return { id: user.id, email: user.email, password };
  };
  const signIn = async (account: Account): Promise<Person> => {
    const browser = anybody();
    const body = { email: account.email, password: account.password };
    const { token } = await done(browser.ask(identity.signInEmail, { body }), "a sign-in");
    return { ...account, browser, token };
  };
  const newPerson = async (own: object = {}) => signIn(await createUser(own));

  return {
    measure,
    door,
    signal,
    tag,
    anybody,
    newName,
    emailOf,
    password,
    admin,
    option: (name) => options().get(name),
    providers: () =>
      Array.from(options().keys()).flatMap((name) => providerOption.exec(name)?.[1] ?? []),
    createUser,
    signIn,
    newPerson,
    people: lazily(async () => ({
      ada: await newPerson(),
      bob: await newPerson(),
      mia: await newPerson(),
    })),
    keys: () => {
      if (!given.keys)
        throw new NotProven("the apikey service: --apikey-url and LATCHKEY_SERVICE_TOKEN");
      return given.keys;
    },
    race: async (ask) => {
      await door.warm();
      const asked = Array.from({ length: measure.callers }, (_, index) => ask(index));
      // Whatever becomes of one, none is still under way when what they made is removed.
      await Promise.allSettled(asked);
      return Promise.all(asked);
    },
  };
};
