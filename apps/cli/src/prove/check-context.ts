import { randomInt } from "node:crypto";
import { isChallenge, operations } from "@latchkey/contracts";
import { done } from "./done.ts";
import { type Browser, createBrowser } from "./http/browser.ts";
import type { Answer } from "./http/connections.ts";
import type { GatewayClient } from "./http/gateway-client.ts";
import type { KeyService } from "./key-service.ts";
import { NotProven } from "./not-proven.ts";
import type { EventReceiver, PreparedReceiver } from "./receiver/event-receiver.ts";

/** The extent of a run. */
export interface Measure {
  /** The number of concurrent requests. */
  callers: number;
  /** The samples of each kind for comparing times. 0 skips these checks. */
  samples: number;
  /** The most rows that may be created to reach a limit. */
  fill: number;
}

/** A user that the run has created. */
export interface Account {
  id: string;
  email: string;
  password: string;
}

/** The user with a session. */
export interface Person extends Account {
  browser: Browser;
  token: string;
}

/** The shared input of the checks. */
export interface CheckContext {
  measure: Measure;
  gateway: GatewayClient;
  signal: AbortSignal;
  /** The prefix of each name that the run creates. */
  tag: string;
  /** Returns a new client without a session. */
  anybody(): Browser;
  /** Returns an unused name. */
  newName(): string;
  emailOf(name: string): string;
  password: string;
  /** Throws `NotProven` if there is none. */
  admin(): Browser;
  /** Returns an option of the deployment. Throws `NotProven` if no caller may read it. */
  option(name: string): unknown;
  /** Returns the ids of the sign-in providers. Throws the same. */
  providers(): string[];
  createUser(own?: object): Promise<Account>;
  signIn(account: Account): Promise<Person>;
  /** Creates a user and signs them in. */
  newPerson(own?: object): Promise<Person>;
  /** Returns three users whom all checks share: two with tenants and a member. Checks must restore them. */
  people(): Promise<Readonly<Record<"ada" | "bob" | "mia", Person>>>;
  /** Returns the client for key verification. Throws `NotProven` if no address was given. */
  keys(): KeyService;
  /** Returns the receiver of events, which listens from the first call on. */
  receiver(): Promise<EventReceiver>;
  /** Sends concurrent requests, one per caller, over open connections. */
  race<Body>(ask: (index: number) => Promise<Answer<Body>>): Promise<Answer<Body>[]>;
}

export interface ContextOptions {
  measure: Measure;
  gateway: GatewayClient;
  signal: AbortSignal;
  domain: string;
  tag: string;
  admin: Browser | undefined;
  options: ReadonlyMap<string, unknown> | undefined;
  keys: KeyService | undefined;
  receiver: PreparedReceiver;
}

const { identity } = operations;
const providerOption = /^socialProviders\.([^.]+)\.clientId$/;

/** Strong enough for every application's rules. All users of the run share it, because they live only for minutes. */
const makePassword = (): string =>
  `Prove-${Array.from({ length: 6 }, () => randomInt(1e4, 1e5)).join("-")}`;

const lazily = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

type Names = Pick<CheckContext, "emailOf" | "newName" | "password">;

const createNames = ({ tag, domain }: ContextOptions): Names => {
  let count = 0;
  return {
    newName: () => `${tag}-${(count += 1)}`,
    emailOf: (name) => `${name}@${domain}`,
    password: makePassword(),
  };
};

/** Creates the functions that create users, and those that need the admin. */
const createUsers = (
  given: ContextOptions,
  { newName, emailOf, password }: Names,
): Pick<CheckContext, "admin" | "anybody" | "createUser" | "newPerson" | "signIn"> => {
  const { gateway, signal } = given;
  const anybody = () => createBrowser({ gateway, signal });
  const admin = () => {
    if (!given.admin) throw new NotProven("an admin: --admin-email");
    return given.admin;
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
    const signedIn = await done(browser.ask(identity.signInEmail, { body }), "a sign-in");
    if (isChallenge(signedIn)) throw new NotProven("users without a second factor");
    return { ...account, browser, token: signedIn.token };
  };
  const newPerson = async (own: object = {}) => signIn(await createUser(own));
  return { admin, anybody, createUser, newPerson, signIn };
};

export const createContext = (given: ContextOptions): CheckContext => {
  const { gateway, signal, tag, measure } = given;
  const names = createNames(given);
  const users = createUsers(given, names);
  const { admin, newPerson } = users;
  const options = () => {
    admin();
    if (!given.options) throw new NotProven("an admin who may read settings (settings: read)");
    return given.options;
  };
  return {
    measure,
    gateway,
    signal,
    tag,
    ...names,
    ...users,
    option: (name) => options().get(name),
    providers: () =>
      Array.from(options().keys()).flatMap((name) => providerOption.exec(name)?.[1] ?? []),
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
    receiver: () => given.receiver.open(),
    race: async (ask) => {
      await gateway.warm();
      const answers = Array.from({ length: measure.callers }, (_, index) => ask(index));
      // No request may still be in flight when its data is removed, whatever its outcome.
      await Promise.allSettled(answers);
      return Promise.all(answers);
    },
  };
};
